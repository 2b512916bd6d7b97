import { execFileSync } from 'node:child_process'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import type { Plugin } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import brain from '../src/index.ts'
import type { AtomView } from '../src/schema.ts'

export type { TestGateway }

export const DAY = 86_400

export function start({
  plugins = [],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [git, memory, brain, ...plugins], ...options })
}

interface CommitResult {
  readonly atom: AtomView
  readonly branch: string
  readonly created: boolean
  readonly lint: { readonly warnings: readonly string[] }
}

/** Commits with defaults for everything a test does not care about. */
export function commit(gateway: TestGateway, args: Record<string, unknown> = {}, options?: CallOptions): Promise<CommitResult> {
  const repo = args.kind === 'memory' ? {} : { repo: 'web' }
  return gateway.call(
    'brain_commit',
    { kind: 'session', slug: 'work', content: '# Work\n\nDone because of tests.', ...repo, ...args },
    options,
  )
}

/** Returns the output of the operator's git on a tenant's brain. */
export function plainGit(gateway: TestGateway, ...args: string[]): string {
  return gitIn(`${gateway.dataDir}/brains/local.git`, ...args)
}
export function gitIn(folder: string, ...args: string[]): string {
  const identity = { GIT_AUTHOR_NAME: 'Op', GIT_AUTHOR_EMAIL: 'op@local', GIT_COMMITTER_NAME: 'Op', GIT_COMMITTER_EMAIL: 'op@local' }
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...identity },
  })
}

/** Returns the paths of a branch, without compiled files. */
export function files(gateway: TestGateway, ref = 'main'): string[] {
  return plainGit(gateway, 'ls-tree', '-r', '--name-only', ref)
    .split('\n')
    .filter((path) => path !== '' && !/BRIEF\.md$|\/topics\/|^README\.md$/.test(path))
}
