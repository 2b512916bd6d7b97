import { readFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Env } from './command.ts'
import { configFolder } from './credentials.ts'

const fileOf = (env: Env): string => join(configFolder(env), 'service.json')

/** Returns the URL of the last `gateway login`, until `gateway login --forget`. */
export function rememberedUrl(env: Env): string | undefined {
  const path = fileOf(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  const url = urlIn(text)
  if (url === undefined)
    throw new CommandError(EXIT.failure, `${path} must be JSON with the member url, an http or https URL; remove it and log in again.`)
  return url
}

/** The file is readable for its owner alone: an internal address concerns nobody else. */
export async function rememberUrl(url: string, env: Env): Promise<void> {
  const path = fileOf(env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify({ url }, null, 2)}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, path)
}

export async function forgetUrl(env: Env): Promise<void> {
  await rm(fileOf(env), { force: true })
}

function urlIn(text: string): string | undefined {
  try {
    const { url } = JSON.parse(text) as { readonly url?: unknown }
    return typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url) ? url : undefined
  } catch {
    return undefined
  }
}
