import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import brain from '@gateway/plugin-brain'
import entitlements from '@gateway/plugin-entitlements'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({
    plugins: [git, memory, entitlements, brain, plugin],
    listen: true,
    ...options,
    config: { 'brain-hosting': { publicUrl: 'https://brains.example.com' }, ...options.config },
  })

export const acme = { as: { tenantId: 'acme', id: 'admin', role: 'admin', kind: 'user' } } as const
export const commit = (gateway: TestGateway, slug: string) =>
  gateway.call('brain_commit', { kind: 'session', repo: 'web', slug, content: `# ${slug}` }, acme)

/** Returns the address that answers in this test, with the token, in the form a client keeps. */
export function remote(gateway: TestGateway, token: string, tenantId = 'acme'): string {
  const { host } = new URL(gateway.url)
  return `http://any:${token}@${host}/git/${tenantId}/brain.git`
}
export const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'gateway-clone-'))

const run = promisify(execFile)
const identity = { GIT_AUTHOR_NAME: 'Op', GIT_AUTHOR_EMAIL: 'op@local', GIT_COMMITTER_NAME: 'Op', GIT_COMMITTER_EMAIL: 'op@local' }

/** Runs the installed git like a person would; rejects with its screen output. */
export async function clientGit(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', ...identity }
  const { stdout } = await run('git', args, { cwd, env, maxBuffer: 64 * 1_024 * 1_024 })
  return stdout.trim()
}

export function atomPath(slug: string, text: string, folder = 'repos/web/session'): string {
  const sha8 = createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
    .slice(0, 8)
  return `${folder}/20260106/20260106T090000Z-${slug}-${sha8}.md`
}

export async function commitFile(clone: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(clone, path)), { recursive: true })
  await writeFile(join(clone, path), text)
  await clientGit(clone, 'add', '-A')
  await clientGit(clone, 'commit', '-qm', 'work')
}
