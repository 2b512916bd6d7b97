import { mkdirSync, mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Creates a folder for the stores of one run, below `dir`, which is created if missing. */
export function storesFolder(dir: string): string {
  const parent = resolve(dir)
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'gateway-bench-'))
}
