import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import type { RepoConfig } from '../schema.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A program that asks its host may hang. Then it is not judged. */
const TIMEOUT_MS = 10_000
/** The program of a command that begins with one, without assignments and other words of the shell. */
const PROGRAM = /^\s*([\w./+-]+)(?=\s|$)/

/**
 * Faults of the programs that open pull requests, which run in the environment of the runner: one is not installed, or `gh` is signed in
 * nowhere. A path that is not absolute counts from the worktree, so it cannot be checked ahead.
 */
export async function pullRequestFaults(repos: readonly RepoConfig[], env: Env): Promise<readonly string[]> {
  const opening = repos.filter(({ deliver }) => deliver === 'pr')
  return (await Promise.all(opening.map((repo) => faultOf(repo, env)))).filter((fault) => fault !== undefined)
}

async function faultOf({ name, path, pullRequest }: RepoConfig, env: Env): Promise<string | undefined> {
  const program = pullRequest === undefined ? 'gh' : PROGRAM.exec(pullRequest)?.[1]
  if (program === undefined || (program.includes('/') && !isAbsolute(program))) return undefined
  const found = await ran({ cwd: path, env }, 'sh', '-c', 'command -v "$1"', 'sh', program)
  if (found.failed && pullRequest !== undefined) return `repos.${name}.pullRequest must begin with a program; ${program} is not installed`
  if (found.failed) return `repos.${name}.deliver is pr, for which gh must be installed; install it, or set repos.${name}.pullRequest`
  if (pullRequest !== undefined) return undefined
  const { failed, said } = await ran({ cwd: path, env }, program, 'auth', 'status')
  const isSignedOut = failed && /not logged in/i.test(said)
  return isSignedOut ? `repos.${name}.deliver is pr, for which gh must be signed in; run \`gh auth login\`` : undefined
}

interface Outcome {
  /** The program ended with a fault of its own. False also if it could not be started, as in a folder that does not exist, or was ended. */
  readonly failed: boolean
  readonly said: string
}

const ran = (place: { readonly cwd: string; readonly env: Env }, file: string, ...args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(file, args, { ...place, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve({ failed: typeof error?.code === 'number', said: `${stderr}\n${stdout}` })
    })
  })
