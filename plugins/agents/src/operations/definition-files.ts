import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kind } from '../rules/definition.ts'

/** Maximum files of a kind in one folder and the folders below. */
const MAX_FILES = 1_000
/** Maximum depth of nested folders, because links could form a cycle. */
const MAX_DEPTH = 4
const MAX_FOLDERS = 2_000
const FILES_BESIDE_DEFINITIONS = /^(?:readme|license|contributing|changelog|code_of_conduct|security|index)\.md$/i
const SKILL = /^skill\.md$/i

export interface FoundFile {
  readonly path: string
  /** Names of the folders between the root and the file. */
  readonly folders: readonly string[]
  readonly bytes: number
  readonly stamp: string
}
interface Level {
  readonly path: string
  readonly folders: readonly string[]
}

/**
 * Lists the files below a folder that may define something of a kind: skills as `NAME.md` or as `NAME/SKILL.md`, all others as `NAME.md`, also
 * in folders below. `isMixed`: the folder holds agents and skills, which only their form tells apart. `more` says that the folder has more
 * files than are listed.
 */
export async function definitionFiles(
  kind: Kind,
  root: string,
  isMixed: boolean,
): Promise<{ readonly files: readonly FoundFile[]; readonly more: boolean }> {
  const files: FoundFile[] = []
  let level: readonly Level[] = [{ path: root, folders: [] }]
  let visited = 0
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: Level[] = []
    for (const { path, folders } of level) {
      if (visited++ >= MAX_FOLDERS) return { files, more: true }
      const found = await entriesOf(path)
      const skill = found.files.find((name) => SKILL.test(name))
      for (const name of wanted(kind, found.files, skill, isMixed || depth > 0)) {
        if (files.length >= MAX_FILES) return { files, more: true }
        const file = join(path, name)
        const { size, mtimeMs } = await stat(file).catch(() => ({ size: -1, mtimeMs: 0 }))
        if (size >= 0) files.push({ path: file, folders, bytes: size, stamp: `${file}\0${size}\0${mtimeMs}` })
      }
      // Further files of a skill belong to it.
      if (skill === undefined) below.push(...found.folders.map((name) => ({ path: join(path, name), folders: [...folders, name] })))
    }
    level = below
  }
  return { files, more: false }
}

function wanted(kind: Kind, names: readonly string[], skill: string | undefined, isBelow: boolean): readonly string[] {
  if (kind === 'skill' && skill !== undefined) return [skill]
  if (skill !== undefined || (kind === 'skill' && isBelow)) return []
  return names.filter((name) => name.endsWith('.md') && !FILES_BESIDE_DEFINITIONS.test(name))
}

/** Sorted by name, without hidden entries. Links count as their target. */
async function entriesOf(path: string): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const all = (await readdir(path, { withFileTypes: true }).catch(() => [])).filter(({ name }) => !name.startsWith('.'))
  const files: string[] = []
  const folders: string[] = []
  for (const entry of all) {
    const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)).catch(() => undefined) : entry
    if (target?.isDirectory() && entry.name !== 'node_modules') folders.push(entry.name)
    else if (target?.isFile()) files.push(entry.name)
  }
  return { files: files.sort(), folders: folders.sort() }
}
