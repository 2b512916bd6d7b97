import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Turns } from '@gateway/sdk/bounds'
import { kill, processesWith, processMark } from './processes.ts'

/** A git command that failed. The message has the last lines of its error output, in which servers and hooks give their reasons. */
export class GitFailed extends Error {
  /** Output before the failure, for commands that tell their result with an exit code. */
  readonly output: string
  constructor(message: string, output: string) {
    super(message)
    this.output = output
  }
}

/**
 * Settings that keep a repo from running code of its own in the runner: no hooks, no monitor, no pager. A commit is signed by nobody.
 */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'core.pager=cat',
  'advice.detachedHead=false',
]
/** Author of the commits that the runner makes, and of an agent's where no other one is configured. */
export const AUTHOR = { 'user.name': 'Gateway runner', 'user.email': 'runner@gateway.invalid' } as const
/** Variables that point git at another clone than the one of its folder. A hook of git sets them for what it starts. */
const PLACES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_NAMESPACE', 'GIT_PREFIX']
const ERROR_LINES = 6
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024
const TIMEOUT_MS = 300_000
/** Variable that names the runner which started a git process. */
const MARK = 'GATEWAY_RUNNER'
const POLL_MS = 50
const mark = processMark(process.pid) ?? ''

/** Runs git in a folder with the credential of the runner and returns its output. */
export function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !PLACES.includes(name)))
  const env = { ...kept, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', LC_ALL: 'C', [MARK]: mark }
  const settings = [...SAFE, ...Object.entries(AUTHOR).map((pair) => pair.join('='))].flatMap((setting) => ['-c', setting])
  return new Promise((resolve, reject) => {
    execFile('git', [...settings, ...args], { cwd, env, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else reject(new GitFailed(`git ${args[0]}: ${reasonOf(error, stderr, cwd)}`, stdout))
    })
  })
}

function reasonOf(error: ExecFileException, stderr: string, cwd: string): string {
  if (error.code === 'ENOENT') return existsSync(cwd) ? 'git is not installed' : `the folder ${cwd} does not exist`
  if (error.killed && error.signal === 'SIGTERM') return `it took longer than ${TIMEOUT_MS / 1_000} seconds`
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
  return lines.slice(-ERROR_LINES).join('\n') || error.message
}

/** True if commits in this folder have an author: the configuration of the user, the clone or the machine names one. */
export async function hasIdentity(cwd: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const isSet = (name: string): Promise<boolean> =>
    new Promise((resolve) => void execFile('git', ['config', '--get', name], { cwd, env, timeout: TIMEOUT_MS }, (error) => resolve(!error)))
  return (await Promise.all(Object.keys(AUTHOR).map(isSet))).every(Boolean)
}

/** Returns the output of a git command that may fail, or `undefined`. */
export const tryGit = (cwd: string, ...args: readonly string[]): Promise<string | undefined> =>
  git(cwd, ...args).then(
    (output) => output.trimEnd(),
    () => undefined,
  )

const turns = new Turns()

/** Runs changes of one repo one after another: git refuses a second one while the first holds a lock file. */
export const inTurn = <T>(repo: string, change: () => Promise<T>): Promise<T> => turns.run(repo, change)

/**
 * Waits for the git processes of a dead runner: a signal to the runner does not end them, and one that still adds a worktree would
 * finish after the worktree was removed. One that takes too long is killed.
 */
export async function waitForGit(runner: string): Promise<void> {
  const left = (): readonly number[] => (runner === '' ? [] : processesWith(MARK, runner))
  for (const end = Date.now() + DYING_MS; left().length > 0 && Date.now() < end; ) await delay(POLL_MS)
  for (const pid of left()) kill(pid, 'SIGKILL')
}
const DYING_MS = 30_000
