import { createHash } from 'node:crypto'
import { chmod, open, readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'

export interface ManifestFile {
  /** Path relative to the folder of the backup, with slashes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Description of a backup. It is written last: without it a backup is not whole. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  /** Version of the gateway that made the backup. */
  readonly gateway: string
  /** The backup contains every call that was answered before this time. */
  readonly begun: string
  readonly ended: string
  readonly from: { readonly host: string; readonly dataDir: string; readonly root: string }
  /** Name of the kind of store. A backup contains an embedded store alone. */
  readonly store: string
  /** Names of the variables that were set: their values, secrets among them, are not in a backup. */
  readonly environment: readonly string[]
  /** Every file except the manifest, by path. */
  readonly files: readonly ManifestFile[]
}

export const MANIFEST = 'manifest.json'
export const FORMAT = 'gateway-backup'
export const VERSION = 1

/**
 * Lists every file below a folder, with its hash. Makes each file readable for its owner alone, whatever its mode at the source,
 * and syncs it to disk.
 */
export async function sealFiles(folder: string): Promise<readonly ManifestFile[]> {
  const files: ManifestFile[] = []
  for await (const { path, isFolder } of walk(folder)) {
    await ownerOnly(path, isFolder)
    if (!isFolder) files.push({ path: nameOf(folder, path), ...(await hashed(path, true)) })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

export async function differences(folder: string, { files }: Manifest): Promise<readonly string[]> {
  const expected = new Map(files.map((file) => [file.path, file]))
  const faults: string[] = []
  for await (const { path, isFolder } of walk(folder)) {
    const name = nameOf(folder, path)
    if (isFolder || name === MANIFEST) continue
    const file = expected.get(name)
    expected.delete(name)
    if (file === undefined) faults.push(`${name} is not of this backup`)
    else if ((await hashed(path, false)).sha256 !== file.sha256) faults.push(`${name} is not as it was written`)
  }
  return [...faults, ...[...expected.keys()].map((name) => `${name} is missing`)]
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? `has no ${MANIFEST}: it is no backup, or one that was not finished` : error.message
    throw new CommandError(EXIT.failure, `${folder} ${why}.`)
  })
  const found = parsed(text)
  if (found?.format !== FORMAT || !Array.isArray(found.files))
    throw new CommandError(
      EXIT.failure,
      `${folder} is not a backup of a gateway: its ${MANIFEST} belongs to another program or is damaged.`,
    )
  if (found.version !== VERSION)
    throw new CommandError(
      EXIT.failure,
      `${folder} has version ${String(found.version)} of the backup format; this gateway reads version ${VERSION}. Restore it with gateway ${found.gateway}, which wrote it.`,
    )
  return found as Manifest
}

function parsed(text: string): Partial<Omit<Manifest, 'version'> & { version: number }> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const nameOf = (folder: string, path: string): string => relative(folder, path).replaceAll('\\', '/')

/** Walks everything below a folder except links, which lead elsewhere: folders before their contents. */
async function* walk(folder: string): AsyncGenerator<{ readonly path: string; readonly isFolder: boolean }> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      yield { path, isFolder: true }
      yield* walk(path)
    } else yield { path, isFolder: false }
  }
}

/** A program stays executable. */
async function ownerOnly(path: string, isFolder: boolean): Promise<void> {
  const runs = !isFolder && ((await stat(path)).mode & 0o100) !== 0
  await chmod(path, isFolder || runs ? 0o700 : 0o600)
}

async function hashed(path: string, sync: boolean): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    let bytes = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      hash.update(chunk as Buffer)
      bytes += (chunk as Buffer).length
    }
    if (sync) await file.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}
