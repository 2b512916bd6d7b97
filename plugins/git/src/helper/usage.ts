import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Usage } from '../api.ts'

/** Bytes on the disk: packs one by one, loose objects too; few, since imports are packs. */
export async function measure(folder: string): Promise<Usage> {
  let bytes = 0
  let packs = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const found = await stat(join(entry.parentPath ?? entry.path, entry.name)).catch(() => undefined)
    bytes += found?.size ?? 0
    if (entry.name.endsWith('.pack')) packs++
  }
  return { bytes, packs }
}
