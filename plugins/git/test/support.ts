import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { NewCommit } from '../src/api.ts'
import { HelperProcess } from '../src/operations/helper-process.ts'
import { repositoryAt } from '../src/operations/repository.ts'
import { DEFAULT_LIMITS } from '../src/rules/limits.ts'

export const MAIN = 'refs/heads/main'
export const settings = { program: 'git', limits: DEFAULT_LIMITS, idleSeconds: 60, heapMegabytes: 64 }

export async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'gateway-git-'))
  t.after(() => rm(made, { recursive: true, force: true }))
  return made
}

export async function repository(t: TestContext, options: Partial<typeof settings> = {}) {
  const at = join(await folder(t), 'local.git')
  const helper = new HelperProcess({ ...settings, ...options })
  t.after(() => helper[Symbol.asyncDispose]())
  const repo = repositoryAt(at, helper)
  await repo.create(commit('begin', { 'README.md': 'hello\n' }))
  return { repo, helper, at, git: (...args: string[]) => git(at, ...args) }
}

export function commit(message: string, files: Readonly<Record<string, string | undefined>>, ref = MAIN): NewCommit {
  return {
    ref,
    message,
    author: { name: 'Ada', email: 'ada@local' },
    at: new Date('2026-01-05T09:00:00Z'),
    files: Object.entries(files).map(([path, content]) => (content === undefined ? { path, removed: true } : { path, content })),
  }
}

/** Returns the output of the operator's own git. */
export function git(at: string, ...args: string[]): string {
  return execFileSync('git', ['-C', at, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: '/nonexistent' } })
}
