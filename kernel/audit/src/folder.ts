import { open, readdir } from 'node:fs/promises'
import { isDayFile } from './day-file.ts'

/** Holds owed records in the folder of all trails; no tenant id begins with a dot. */
export const RESERVE_FILE = '.owed'

const TENANT = /^[a-z0-9_-][a-z0-9._-]{0,63}$/

/** Tenant ids are folder names here. The kernel creates only this kind; nothing else may become a path. */
export function assertTenantId(tenantId: string): void {
  if (!TENANT.test(tenantId)) {
    throw new Error(
      `Tenant id ${JSON.stringify(tenantId)} cannot name an audit folder: expected 1 to 64 of a-z 0-9 . _ - and no leading dot.`,
    )
  }
}

/** Day files of a tenant, oldest first, and files set aside at recoveries. Empty if there is no folder. */
export async function listFolder(folder: string): Promise<{ readonly days: readonly string[]; readonly torn: readonly string[] }> {
  const names = (await listOrNothing(folder)).sort()
  return { days: names.filter(isDayFile), torn: names.filter((name) => name.endsWith('.torn')) }
}

export async function auditedTenants(dir: string): Promise<readonly string[]> {
  return (await listOrNothing(dir)).filter((name) => TENANT.test(name)).sort()
}

/** Entries in the trails' folder that are not trails: no tenant id could name them. */
export async function unexpectedEntries(dir: string): Promise<readonly string[]> {
  return (await listOrNothing(dir)).filter((name) => !TENANT.test(name) && name !== RESERVE_FILE).sort()
}

/** A file created, renamed or removed in a folder is durable only after the folder itself is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function listOrNothing(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
