import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export type Json = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Settings of a client in a JSON file; an absent file has none. Returns `undefined` for a file that is not plain JSON, such as one with comments. */
export async function readJson(path: string): Promise<Json | undefined> {
  if (!existsSync(path)) return {}
  try {
    return objectOf(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes the settings in one step, with a copy of the file beside it before the first change. */
export async function writeJson(path: string, settings: Json): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const backup = `${path}.before-gateway`
  if (existsSync(path) && !existsSync(backup)) await copyFile(path, backup)
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`)
  await rename(draft, path)
}

/** Writes the settings after an entry was removed, or removes the file if nothing is left, and the copy. */
export async function restoreJson(path: string, settings: Json): Promise<void> {
  if (Object.keys(settings).length === 0) await rm(path)
  else await writeJson(path, settings)
  await rm(`${path}.before-gateway`, { force: true })
}
