import { execFile } from 'node:child_process'
import { basename, dirname, isAbsolute, resolve } from 'node:path'

const LIMIT = { timeout: 2_000, maxBuffer: 4 * 1024 * 1024, encoding: 'utf8' } as const

/** Runs git and returns its output. The output is empty when git is missing, fails or exceeds the time limit. */
function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile('git', ['-c', 'core.fsmonitor=', ...args], { ...LIMIT, cwd }, (error, stdout) => done(error ? '' : stdout.trimEnd()))
  })
}

/** A clone, with the facts by which the gateway recognises its repo. */
export interface Clone {
  /** Bare name of the main folder. */
  readonly repo: string
  /** Main work tree, also in a linked one. */
  readonly root: string
  /** Address of `origin`, else of `upstream`, else of the first remote, without a password. */
  readonly remote?: string
}

/** Returns `undefined` outside of a git repository. */
export async function cloneAt(cwd: string): Promise<Clone | undefined> {
  const [common, top, remotes] = await Promise.all([
    git(cwd, 'rev-parse', '--git-common-dir'),
    git(cwd, 'rev-parse', '--show-toplevel'),
    git(cwd, 'remote', '-v'),
  ])
  if (common === '') return undefined
  const folder = resolve(cwd, common)
  const main = basename(folder) === '.git' ? dirname(folder) : folder
  // A submodule, or a work tree of a bare repository, has its own folder elsewhere.
  const root = main === folder && top !== '' ? top : main
  const remote = identifyingRemote(remotes, root)
  return { repo: basename(main).replace(/\.git$/, ''), root, ...(remote !== undefined && { remote }) }
}

function identifyingRemote(listed: string, root: string): string | undefined {
  const remotes = new Map<string, string>()
  for (const [, name = '', url = ''] of listed.matchAll(/^([^\t\n]+)\t(.+) \(fetch\)$/gm)) remotes.set(name, url)
  const url = remotes.get('origin') ?? remotes.get('upstream') ?? [...remotes.values()][0]
  if (url === undefined || /\p{Cc}/u.test(url) || url.length > MAX_URL) return undefined
  const isRelative = !isAbsolute(url) && /^\.{1,2}\//.test(url)
  return isRelative ? resolve(root, url) : withoutCredentials(url)
}
const MAX_URL = 2_000

/** The user of an http address may be a token; the user of ssh says how to connect. */
function withoutCredentials(url: string): string {
  return /^https?:\/\//i.test(url) ? url.replace(/^([^/]*\/\/)[^/]*@/, '$1') : url.replace(/^([^/]*\/\/)([^/@:]*):[^/]*@/, '$1$2@')
}

export const headAt = (cwd: string): Promise<string> => git(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD')

export interface Work {
  readonly branch: string
  /** `git status --short`, one entry per file. */
  readonly uncommitted: readonly string[]
  /** `git log --oneline`, newest first. */
  readonly commits: readonly string[]
}

/** The work that a session leaves behind: uncommitted files, and the commits since `head`. */
export async function workSince(cwd: string, head: string | undefined): Promise<Work> {
  const [branch, status, log] = await Promise.all([
    git(cwd, 'branch', '--show-current'),
    git(cwd, 'status', '--short', '--untracked-files=normal'),
    head === undefined ? '' : git(cwd, 'log', '--max-count=50', '--oneline', '--no-decorate', `${head}..HEAD`),
  ])
  const lines = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))
  return { branch, uncommitted: lines(status), commits: lines(log) }
}
