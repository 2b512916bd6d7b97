import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupPart } from '@gateway/sdk'
import { CommandError, EXIT } from '@gateway/sdk/command'
import { sync } from '@gateway/storage'
import { differences, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { stagingIn, unpacked } from './staging.ts'

/** Entries of a new disk, and the remains of an interrupted restore. */
const NOTHING = new Set(['lost+found', '.restoring'])

/**
 * Puts a backup into an empty data folder: unpacks it inside, checks each file against the manifest, and only then moves it to
 * its place. Files of the root are in `root` afterwards. On any fault the folder is as empty as before.
 */
export async function restoreFiles(backup: string, dataDir: string): Promise<Manifest> {
  await refuseFilled(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const staging = stagingIn(dataDir)
  await rm(staging, { recursive: true, force: true })
  try {
    await unpacked(backup, staging)
    const manifest = await readManifest(staging)
    const faults = await differences(staging, manifest)
    if (faults.length > 0) {
      const more = faults.length > 5 ? ` (and ${faults.length - 5} more)` : ''
      throw new CommandError(EXIT.failure, `${backup} is damaged, and nothing was restored: ${faults.slice(0, 5).join('; ')}${more}.`)
    }
    await rm(join(staging, MANIFEST))
    const data = join(staging, 'data')
    for (const name of await readdir(data)) await rename(join(data, name), join(dataDir, name))
    if ((await readdir(join(staging, 'root'))).length > 0) await rename(join(staging, 'root'), join(dataDir, 'root'))
    return manifest
  } finally {
    await rm(staging, { recursive: true, force: true })
    sync(dataDir)
  }
}

async function refuseFilled(dataDir: string): Promise<void> {
  const existing = existsSync(dataDir) ? (await readdir(dataDir)).filter((name) => !NOTHING.has(name)) : []
  if (existing.length === 0) return
  throw new CommandError(
    EXIT.failure,
    `${dataDir} is not empty (${existing.slice(0, 5).join(', ')}), and nothing is written over it. Name an empty folder with --to, or move that away.`,
  )
}

export async function verifyParts(parts: readonly BackupPart[], dataDir: string): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { name, verify, in: place } of parts) {
    const path = join(dataDir, ...(place === 'root' ? ['root'] : []), name)
    if (verify !== undefined && existsSync(path)) faults.push(...(await verify(path)))
  }
  return faults
}
