import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Env } from './command.ts'

/**
 * Returns the environment with GATEWAY_LOCAL_TOKEN read from the file of GATEWAY_LOCAL_TOKEN_FILE; unchanged if no file is named,
 * or it does not exist yet. Throws if both are set, or the file cannot be used.
 */
export function withLocalToken(env: Env): Env {
  const path = named(env)
  const token = path === undefined ? undefined : read(path)
  return token === undefined ? env : { ...env, GATEWAY_LOCAL_TOKEN: token }
}

/**
 * Creates the token file at a start if it is named and missing, readable for its owner alone. If nobody is local, as in a
 * container, the token gives access to anyone who reads the output of the first start. `minted` is that token.
 */
export function mintLocalToken(env: Env): { readonly env: Env; readonly minted?: { readonly token: string; readonly path: string } } {
  const path = named(env)
  if (path === undefined || read(path) !== undefined) return { env: withLocalToken(env) }
  const token = randomBytes(24).toString('base64url')
  if (!keep(path, token)) return { env: withLocalToken(env) }
  return { env: { ...env, GATEWAY_LOCAL_TOKEN: token }, minted: { token, path } }
}

function named({ GATEWAY_LOCAL_TOKEN_FILE: path, GATEWAY_LOCAL_TOKEN: token }: Env): string | undefined {
  if (!path) return undefined
  if (token) throw new CommandError(EXIT.failure, 'GATEWAY_LOCAL_TOKEN and GATEWAY_LOCAL_TOKEN_FILE are both set; unset one.')
  if (!isAbsolute(path))
    throw new CommandError(EXIT.failure, `GATEWAY_LOCAL_TOKEN_FILE must be an absolute path; got ${JSON.stringify(path)}.`)
  return path
}

function read(path: string): string | undefined {
  let token: string
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, error)
  }
  if (token === '')
    throw new CommandError(EXIT.failure, `GATEWAY_LOCAL_TOKEN_FILE names ${path}, which is empty; write a token there, or remove it.`)
  return token
}

/** Writes the file atomically, and to disk before the token is reported. Returns false if another start was first. */
function keep(path: string, token: string): boolean {
  const draft = `${path}.${process.pid}.new`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(draft, 'w', 0o600)
    try {
      writeSync(file, `${token}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unusable(path, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

const unusable = (path: string, error: unknown): CommandError =>
  new CommandError(EXIT.failure, `GATEWAY_LOCAL_TOKEN_FILE names ${path}, which cannot be used: ${(error as Error).message}.`)
