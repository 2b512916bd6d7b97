import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folders of PATH. */
export const pathFolders = () => (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')

/**
 * Returns the path of the first folder's program of that name; undefined if none has it.
 * @param {string} name
 * @param {readonly string[]} folders
 */
export const programIn = (name, folders) => folders.map((folder) => join(folder, name)).find(isExecutable)

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
