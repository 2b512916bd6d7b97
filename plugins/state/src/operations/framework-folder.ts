import { lstat, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { FileUnusable } from '../errors.ts'

const FRAMEWORK_FOLDER = '.gateway'

/**
 * The framework folder of a repo, as its real path: the repo itself may be reached over a link, which the operator made; from there
 * on a link leads out of what the operator named, and is refused. `undefined` when there is none, unless it is to be made.
 */
export async function frameworkFolder(repo: string, make = false): Promise<string | undefined> {
  const real = await realpath(repo).catch(() => undefined)
  if (real === undefined) {
    if (make) throw FileUnusable({ file: repo, fault: 'the folder of the repo is not there' })
    return undefined
  }
  const folder = join(real, FRAMEWORK_FOLDER)
  if (make) await mkdir(folder).catch(unlessThere)
  return (await isRealFolder(folder)) ? folder : undefined
}

/** Refuses a link, and whatever else is no folder. False when nothing is there. */
export async function isRealFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(unlessMissing)
  if (!stats) return false
  if (stats.isSymbolicLink()) throw FileUnusable({ file: folder, fault: 'it is a symbolic link, which is not followed' })
  if (!stats.isDirectory()) throw FileUnusable({ file: folder, fault: 'it is no folder' })
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
