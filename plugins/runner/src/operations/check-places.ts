import { accessSync, constants, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk'
import { allowedEnv } from '../rules/environment.ts'
import type { Agent, RepoConfig, RunnerConfig } from '../schema.ts'
import { tryGit } from './git.ts'
import { pullRequestFaults } from './pull-request-program.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Checks the folders, clones and programs of the configuration before the first task is taken: a runner that can work on nothing would
 * fail one task of the queue after another. Throws one sentence that names every faulty member.
 */
export async function checkPlaces(config: RunnerConfig, env: Env): Promise<void> {
  const faults = [
    await folderFault(config.stateDir),
    ...(await Promise.all(Object.values(config.repos).map((repo) => repoFault(repo, config)))),
    ...programFaults(config, env),
    ...(config.lanes.length === 0 ? [] : await pullRequestFaults(Object.values(config.repos), env)),
  ].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new CommandError(EXIT.usage, `${faults.join('; ')}.`)
}

async function folderFault(stateDir: string): Promise<string | undefined> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 })
    accessSync(stateDir, constants.W_OK)
    return undefined
  } catch (error) {
    return `stateDir must be a folder that can be written: ${(error as Error).message}`
  }
}

async function repoFault({ name, path, base, remote, deliver }: RepoConfig, { merge }: RunnerConfig): Promise<string | undefined> {
  const member = `repos.${name}`
  if ((await tryGit(path, 'rev-parse', '--git-dir')) === undefined) return `${member}.path must be a git clone; got ${path}`
  const branch = base ?? (await tryGit(path, 'symbolic-ref', '--short', '--quiet', 'HEAD'))
  const isRemote = deliver === 'push' || deliver === 'pr'
  if (branch === undefined && (isRemote || merge)) return `${member}.base is missing: ${path} is on no branch`
  if (isRemote) {
    const url = await tryGit(path, 'remote', 'get-url', remote)
    return url === undefined ? `${member}.remote must be a remote of ${path}; got ${remote}` : undefined
  }
  const start = branch ?? 'HEAD'
  if ((await tryGit(path, 'rev-parse', '--verify', '--quiet', `${start}^{commit}`)) !== undefined) return undefined
  return base === undefined ? `${member} has no commit on ${start} yet` : `${member}.base must be a branch of ${path}; got ${base}`
}

/** A sandbox may bring its own programs, so with one it alone is looked for. */
function programFaults({ agents, lanes, sandbox }: RunnerConfig, env: Env): (string | undefined)[] {
  const path = allowedEnv(env, [], {}).PATH
  const [enclosing] = sandbox
  if (enclosing !== undefined)
    return [isProgram(enclosing, path) ? undefined : `sandbox names the program ${enclosing}, which is not installed`]
  const used = new Set(lanes.flatMap((lane) => Object.values(lane.agents)))
  return [...used].map((name) => {
    const { adapter, command = adapter } = agents[name] as Agent
    if (adapter === 'shell' || adapter === 'scripted' || isProgram(command, path)) return undefined
    return `agents.${name}.command must be a program; ${command} is not installed`
  })
}

/** A path with a slash counts from the worktree if it is not absolute, so it cannot be checked ahead. */
function isProgram(command: string, path = '/usr/bin:/bin'): boolean {
  if (isAbsolute(command)) return canRun(command)
  return command.includes('/') || path.split(delimiter).some((folder) => folder !== '' && canRun(join(folder, command)))
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
