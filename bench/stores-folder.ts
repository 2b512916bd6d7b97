import { mkdirSync, mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'

export function storesFolder(dir: string): string {
  const parent = resolve(dir)
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'gateway-bench-'))
}
