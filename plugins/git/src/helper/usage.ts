import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Usage } from '../api.ts'
import { QUARANTINE } from './quarantines.ts'

/**
 * Measures bytes on the disk: packs one by one, loose objects too; few, since imports are packs. Pushes not yet accepted are left
 * out.
 */
export async function measure(folder: string): Promise<Usage> {
  let bytes = 0
  let packs = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const parent = entry.parentPath ?? entry.path
    if (!entry.isFile() || isQuarantined(relative(folder, parent))) continue
    const found = await stat(join(parent, entry.name)).catch(() => undefined)
    bytes += found?.size ?? 0
    if (entry.name.endsWith('.pack')) packs++
  }
  return { bytes, packs }
}

const isQuarantined = (path: string): boolean => path.split('/').some((part) => QUARANTINE.test(part))
