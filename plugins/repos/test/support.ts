import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import git from '@gateway/plugin-git'
import outgoing from '@gateway/plugin-outgoing'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import repos from '../src/index.ts'

export const needed = [git, outgoing, trash, tasks]

export type { TestGateway }

export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

/** Creates a folder for repos, and starts a gateway whose root is in it. */
export async function start(env: Readonly<Record<string, string>> = {}, { listen = false, plugins = [] as readonly Plugin[] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-repos-'))
  const root = join(folder, 'root')
  await mkdir(root)
  const all = { GATEWAY_ROOT: root, PATH: process.env.PATH ?? '', ...env }
  const gateway = await startTestGateway({ plugins: [...needed, repos, ...plugins], env: all, listen })
  return {
    gateway,
    folder,
    file: join(root, 'managed-repos.json'),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates these files, with their folders; a path that ends in a slash is a folder. */
export async function put(folder: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const whole = join(folder, path)
    await mkdir(path.endsWith('/') ? whole : dirname(whole), { recursive: true })
    if (!path.endsWith('/')) await writeFile(whole, '')
  }
}

export const whole = ['.git/', '.gateway/STATE.md', '.gateway/HANDOFF.md']
export const ALL = { exists: true, isGitRepo: true, hasFramework: true, hasStateAndHandoff: true }
export const NONE = { exists: false, isGitRepo: false, hasFramework: false, hasStateAndHandoff: false }

/** For `assert.rejects`: matches a BAD_REQUEST that names this field. */
export function names(field: string): (error: unknown) => boolean {
  return (error) => {
    const { code, details } = error as { code?: string; details?: { field?: string } }
    assert.deepEqual([code, details?.field], ['BAD_REQUEST', field])
    return true
  }
}

/** Runs git as the operator would. */
export function runGit(at: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@local', '-c', 'init.defaultBranch=main']
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' }
  return execFileSync('git', ['-C', at, ...who, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
}
