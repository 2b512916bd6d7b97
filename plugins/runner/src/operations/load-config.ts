import { readFile } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk'
import { readConfig } from '../rules/config.ts'
import type { RunnerConfig } from '../schema.ts'
import { tryGit } from './git.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Reads the named file, or runner.json of the current folder if there is one. */
export async function loadConfig(named: string | undefined, env: Env, cwd = process.cwd()): Promise<RunnerConfig> {
  const path = resolve(cwd, named ?? 'runner.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === undefined && error.code === 'ENOENT') return undefined
    throw new CommandError(EXIT.usage, `${path} cannot be read: ${error.message}.`)
  })
  const folder = dirname(path)
  return readConfig(text, text === undefined ? 'runner.json (none here)' : path, {
    folder,
    hostname: hostname(),
    clone: await tryGit(folder, 'rev-parse', '--show-toplevel'),
    stateHome: env.XDG_STATE_HOME || join(env.HOME ?? homedir(), '.local', 'state'),
  })
}
