import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Yields every file under `folder` in a stable order; no files when the folder does not exist.
 * @param {string} folder
 * @returns {Generator<{ path: string, stat: import('node:fs').Stats }>}
 */
export function* filesUnder(folder) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesUnder(path)
    else yield { path, stat: statSync(path) }
  }
}

/**
 * Returns the folders of the workspaces that have sources, relative to the root, as `workspaces` of package.json names them.
 * @param {string} [at]
 * @returns {string[]}
 */
export function workspaces(at = root) {
  /** @type {string[]} */
  const patterns = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).workspaces
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return existsSync(join(at, parent)) ? readdirSync(join(at, parent)).map((name) => `${parent}/${name}`) : []
  })
  return folders.filter((folder) => existsSync(join(at, folder, 'package.json')) && existsSync(join(at, folder, 'src')))
}

/**
 * Adds the workspaces that these depend on.
 * @param {readonly string[]} wanted
 * @param {readonly string[]} all
 * @returns {string[]}
 */
export function withDependencies(wanted, all) {
  /** @param {string} workspace */
  const manifestOf = (workspace) => JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const byName = new Map(all.map((workspace) => [manifestOf(workspace).name, workspace]))
  const found = new Set(wanted)
  // A set visits members that are added meanwhile too.
  for (const workspace of found) {
    for (const name of Object.keys(manifestOf(workspace).dependencies ?? {})) {
      const needed = byName.get(name)
      if (needed !== undefined) found.add(needed)
    }
  }
  return all.filter((workspace) => found.has(workspace))
}
