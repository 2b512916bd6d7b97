import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from './run.ts'

/** Folders below `objects` in which git keeps a push until it is accepted. */
export const QUARANTINE = /^(?:tmp_objdir|incoming-)/
/** Time beyond the deadline of a transfer after which its process has certainly ended. */
const MARGIN_MS = 60_000

/** Removes quarantines that are older than any transfer may be: the gateway that served them was killed. */
export async function removeQuarantines(folder: string): Promise<void> {
  const objects = join(folder, 'objects')
  const oldest = Date.now() - git.limits.transferSeconds * 1_000 - MARGIN_MS
  for (const name of await readdir(objects).catch(() => [])) {
    if (!QUARANTINE.test(name)) continue
    const found = await stat(join(objects, name)).catch(() => undefined)
    if (found && found.mtimeMs < oldest) await rm(join(objects, name), { recursive: true, force: true })
  }
}
