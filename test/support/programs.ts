import { pathFolders, programIn } from '../../scripts/executable.mjs'

/** Returns the location of a program; undefined if it is not installed. */
export function program(name: string): string | undefined {
  // Debian keeps servers out of an ordinary user's PATH.
  return programIn(name, [...pathFolders(), '/usr/sbin'])
}

/** For a test that needs a program: its name states the missing program. */
export function needing(name: string, test: string): { readonly name: string; readonly skip: boolean } {
  const missing = program(name) === undefined
  return { name: missing ? `${test} (skipped: no ${name} here)` : test, skip: missing }
}
