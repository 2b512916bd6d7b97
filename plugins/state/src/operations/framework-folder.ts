import { lstat, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { FileUnusable } from '../errors.ts'

const FRAMEWORK_FOLDER = '.gateway'

/**
 * Returns the framework folder of a repo, as its real path. The operator may have made a link to the repo itself; a link below
 * it leads out of what the operator named, and is refused. `undefined` when it is missing and `make` is false.
 */
export async function frameworkFolder(repo: string, make = false): Promise<string | undefined> {
  const real = await realpath(repo).catch(() => undefined)
  if (real === undefined) {
    if (make) throw FileUnusable({ file: repo, fault: 'the folder of the repo does not exist' })
    return undefined
  }
  const folder = join(real, FRAMEWORK_FOLDER)
  if (make) await mkdir(folder).catch(unlessThere)
  return (await isRealFolder(folder)) ? folder : undefined
}

/** Refuses a link, and anything else that is not a folder. False when nothing exists there. */
export async function isRealFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(unlessMissing)
  if (!stats) return false
  if (stats.isSymbolicLink()) throw FileUnusable({ file: folder, fault: 'it is a symbolic link, which is not followed' })
  if (!stats.isDirectory()) throw FileUnusable({ file: folder, fault: 'it must be a folder' })
  return true
}

export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
  return undefined
}
