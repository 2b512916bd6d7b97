import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import git from '@gateway/plugin-git'
import outgoing from '@gateway/plugin-outgoing'
import repos from '@gateway/plugin-repos'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }
export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const
export type Files = Readonly<Record<string, string>>

export const needed = [git, outgoing, trash, tasks, repos]

/** Starts a gateway whose framework root holds these files. */
export async function start(files: Files = {}, config: Readonly<Record<string, unknown>> = {}, more: readonly Plugin[] = []) {
  const root = await mkdtemp(join(tmpdir(), 'gateway-graph-'))
  await write(root, files)
  const gateway = await startTestGateway({
    plugins: [...needed, plugin, ...more],
    env: { GATEWAY_ROOT: root, PATH: process.env.PATH ?? '' },
    config: { 'code-graph': config },
  })
  return {
    gateway,
    root,
    call: (tool: string, args: object = {}, options = {}) => gateway.call(tool, args, options),
    write: (more: Files) => write(root, more),
    remove: (path: string) => rm(join(root, path), { recursive: true }),
    git: (...args: string[]) => runGit(root, ...args),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A folder with these files, removed at the end. */
export async function folderOf(files: Files) {
  const root = await mkdtemp(join(tmpdir(), 'gateway-graph-'))
  await write(root, files)
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
}

export async function write(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

export function runGit(root: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@local', '-c', 'init.defaultBranch=main']
  return execFileSync('git', ['-C', root, ...who, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: '/nonexistent' } })
}

export const nodes = (answer: { neighbors: { edge: string; node: string }[] }, edge: string): string[] =>
  answer.neighbors
    .filter((one) => one.edge === edge)
    .map(({ node }) => node)
    .sort()
