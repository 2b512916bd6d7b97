import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backup } from './backup.ts'
import { loadDriver } from './driver.ts'
import { openReader } from './open-database.ts'

/** Copies the store of a data folder into a new folder, for a command, which has nothing else to do meanwhile. */
export async function copyStore(dataDir: string, folder: string): Promise<void> {
  const path = join(dataDir, 'store', 'gateway.db')
  // Throws for a path that this user may not look at, which would otherwise count as missing.
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new Error(`${path} does not exist yet; check GATEWAY_DATA_DIR, and MONGODB_URL if the gateway has one.`)
  await mkdir(folder, { mode: 0o700 })
  const reader = openReader(await loadDriver(), path)
  try {
    await backup({ rows: async ({ sql, params }) => reader.all(sql, params) }, join(folder, 'gateway.db'))
  } finally {
    reader.close()
  }
}
