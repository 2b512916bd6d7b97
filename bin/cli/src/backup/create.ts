import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import type { StoreKind } from '@gateway/kernel'
import { VERSION as GATEWAY } from '@gateway/kernel/version'
import type { BackupPart } from '@gateway/sdk'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import { systemErrorAdvice } from '../system-error-advice.ts'
import { copyFiles, copyTrails } from './copy-files.ts'
import { FORMAT, MANIFEST, type Manifest, sealFiles, VERSION } from './manifest.ts'

export interface Source {
  readonly settings: Settings
  /** Config file, which need not exist. */
  readonly configFile: string
  readonly parts: readonly BackupPart[]
  /** Names of the variables that are set. */
  readonly environment: readonly string[]
  readonly store: StoreKind
}

/** Folders of the data folder that are copied in another way, or belong to the running process. */
const OTHERWISE = new Set(['store', 'process', 'keys', 'audit'])

/**
 * Takes a backup into a new folder while the service runs:
 *
 * 1. the store, at one moment: it contains every call that was answered before;
 * 2. the keys, the audit trail, the files of the families: as the store has them or younger, as a kill between two writes would
 *    leave them, since a family writes its files before the store knows of them;
 * 3. the config file and the files that families keep in the root;
 * 4. the manifest, with the hash of each file.
 */
export async function createBackup(source: Source, folder: string): Promise<Manifest> {
  const begun = new Date().toISOString()
  const { settings, configFile, parts, environment, store } = source
  const { dataDir, root } = settings
  const [data, rest] = [join(folder, 'data'), join(folder, 'root')]
  await mkdir(data, { recursive: true, mode: 0o700 })
  await copyStore(source, join(data, 'store'))
  await copyFiles(join(dataDir, 'keys'), join(data, 'keys'))
  await copyTrails(join(dataDir, 'audit'), join(data, 'audit'))
  const inData = new Map(parts.filter((part) => part.in !== 'root').map((part) => [part.name, part]))
  const names = new Set([...(await readdir(dataDir)), ...inData.keys()])
  for (const name of names) if (!OTHERWISE.has(name)) await copyPart(inData.get(name) ?? { name }, dataDir, data)
  await mkdir(rest, { mode: 0o700 })
  for (const part of parts.filter((part) => part.in === 'root')) await copyPart(part, root, rest)
  if (existsSync(configFile)) await copyFiles(configFile, join(rest, 'gateway.config.json'))
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    gateway: GATEWAY,
    begun,
    ended: new Date().toISOString(),
    from: { host: hostname(), dataDir, root },
    store: store.name,
    environment,
    files: await sealFiles(folder),
  }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  return manifest
}

async function copyPart({ name, path, kept = true, copy = copyFiles }: BackupPart, place: string, to: string): Promise<void> {
  const from = path ?? join(place, name)
  if (kept && existsSync(from)) await copy(from, join(to, basename(name)))
}

async function copyStore({ store, settings }: Source, folder: string): Promise<void> {
  try {
    if ('copy' in store.backup) await store.backup.copy(settings, folder)
  } catch (error) {
    throw new CommandError(EXIT.failure, systemErrorAdvice(error) ?? (error as Error).message)
  }
}
