import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the location of a program; undefined if it is not installed. */
export function program(name: string): string | undefined {
  // Debian keeps servers out of an ordinary user's PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For a test that needs a program: its name states the missing program. */
export function needing(name: string, test: string): { readonly name: string; readonly skip: boolean } {
  const missing = program(name) === undefined
  return { name: missing ? `${test} (skipped: no ${name} here)` : test, skip: missing }
}
