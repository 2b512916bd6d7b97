import { execFile } from 'node:child_process'
import { basename, dirname, resolve } from 'node:path'

const LIMIT = { timeout: 2_000, maxBuffer: 4 * 1024 * 1024, encoding: 'utf8' } as const

/** What git prints, or nothing where it is not there, this is no repository, or it takes too long. */
function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile('git', ['-c', 'core.fsmonitor=', ...args], { ...LIMIT, cwd }, (error, stdout) => done(error ? '' : stdout.trimEnd()))
  })
}

/** The repo’s bare name, that of its main folder also in a linked work tree; undefined outside of one. */
export async function repoAt(cwd: string): Promise<string | undefined> {
  const common = await git(cwd, 'rev-parse', '--git-common-dir')
  if (common === '') return undefined
  const folder = resolve(cwd, common)
  return basename(basename(folder) === '.git' ? dirname(folder) : folder).replace(/\.git$/, '')
}

export const headAt = (cwd: string): Promise<string> => git(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD')

export interface Work {
  readonly branch: string
  /** `git status --short`, a file each. */
  readonly uncommitted: readonly string[]
  /** One line each, newest first. */
  readonly commits: readonly string[]
}

/** What a session leaves behind: uncommitted files, and the commits since `head`. */
export async function workSince(cwd: string, head: string | undefined): Promise<Work> {
  const [branch, status, log] = await Promise.all([
    git(cwd, 'branch', '--show-current'),
    git(cwd, 'status', '--short', '--untracked-files=normal'),
    head === undefined ? '' : git(cwd, 'log', '--max-count=50', '--oneline', '--no-decorate', `${head}..HEAD`),
  ])
  const lines = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))
  return { branch, uncommitted: lines(status), commits: lines(log) }
}
