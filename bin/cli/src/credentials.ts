import { readFileSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Env } from './command.ts'

/** Tokens of a login in the browser. `expiresAt` is the end of the access token in epoch milliseconds. */
export interface SavedToken {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: number
}

/** An API key or tokens, by the URL of their service. */
type Credentials = Readonly<Record<string, { readonly apiKey?: string; readonly token?: SavedToken }>>

export const configFolder = (env: Env): string => join(env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config'), 'gateway')

export const credentialsPath = (env: Env): string => join(configFolder(env), 'credentials.json')

export function savedKey(url: string, env: Env): string | undefined {
  return parse(env)[url]?.apiKey
}

export const savedToken = (url: string, env: Env): SavedToken | undefined => parse(env)[url]?.token

/** Keeps a key in place of any other credential of the service, or removes that with `undefined`. */
export const saveKey = (url: string, apiKey: string | undefined, env: Env): Promise<void> =>
  save(url, apiKey === undefined ? undefined : { apiKey }, env)

/** Keeps tokens in place of any other credential of the service, or removes that with `undefined`. */
export const saveToken = (url: string, token: SavedToken | undefined, env: Env): Promise<void> => save(url, token && { token }, env)

/** The file can be read by its owner only, from its first byte on. */
async function save(url: string, credential: Credentials[string] | undefined, env: Env): Promise<void> {
  const { [url]: _previous, ...others } = parse(env)
  const path = credentialsPath(env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(credential === undefined ? others : { ...others, [url]: credential }, null, 2)}\n`, {
    mode: 0o600,
  })
  await chmod(draft, 0o600)
  await rename(draft, path)
}

function parse(env: Env): Credentials {
  const path = credentialsPath(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Credentials
  } catch {
    throw new CommandError(EXIT.failure, `${path} is not valid JSON; repair it, or remove it and log in again.`)
  }
}
