import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'
import { sync } from '@gateway/storage'

export const isFile = (path: string): boolean => /\.(tar|tgz|tar\.gz)$/.test(path)
const isCompressed = (path: string): boolean => !path.endsWith('.tar')

/**
 * Makes a backup as a folder next to its target and moves it there whole: as that folder, or as one file that holds it. Never
 * overwrites existing files.
 */
export async function placed<T>(target: string, make: (folder: string) => Promise<T>): Promise<T> {
  if (existsSync(target)) throw new CommandError(EXIT.failure, `${target} exists already, and nothing is written over it.`)
  const place = dirname(target)
  if (!existsSync(place)) throw new CommandError(EXIT.failure, `The folder ${place} does not exist; create it first.`)
  const [folder, file] = [`${target}.partial`, `${target}.partial-file`]
  const clear = async (): Promise<void> => {
    for (const one of [folder, file]) await rm(one, { recursive: true, force: true })
  }
  await clear()
  try {
    await mkdir(folder, { mode: 0o700 })
    const made = await make(folder)
    if (isFile(target)) await pack(folder, file, isCompressed(target))
    await rename(isFile(target) ? file : folder, target)
    sync(place)
    return made
  } finally {
    await clear()
  }
}

async function pack(folder: string, file: string, gzip: boolean): Promise<void> {
  const [{ create }, { open }] = await Promise.all([import('tar'), import('node:fs/promises')])
  // Created first, so that the file is readable for its owner alone from its first byte on.
  await (await open(file, 'wx', 0o600)).close()
  await create({ cwd: folder, file, gzip, portable: true, strict: true }, ['.'])
  sync(file)
}

/** Puts the contents of a backup into a new folder: copied or unpacked. Refuses links and paths that lead elsewhere. */
export async function unpacked(backup: string, folder: string): Promise<void> {
  const found = await stat(backup).catch(() => undefined)
  if (found === undefined) throw new CommandError(EXIT.failure, `${backup} does not exist.`)
  await mkdir(folder, { mode: 0o700 })
  if (found.isDirectory()) {
    const { copyFiles } = await import('./copy-files.ts')
    await rm(folder, { recursive: true })
    return copyFiles(backup, folder)
  }
  try {
    const { extract } = await import('tar')
    await extract({
      cwd: folder,
      file: backup,
      strict: true,
      preserveOwner: false,
      filter: (_, entry) => !('type' in entry) || entry.type === 'File' || entry.type === 'Directory',
    })
  } catch (error) {
    throw new CommandError(EXIT.failure, `${basename(backup)} cannot be read as a backup: ${(error as Error).message}.`)
  }
}

export const stagingIn = (dataDir: string): string => join(dataDir, '.restoring')
