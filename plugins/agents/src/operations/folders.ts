import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Definitions, Faulty, KINDS, type Kind, type Origin, readDefinition } from '../rules/definition.ts'
import { splitFrontMatter } from '../rules/front-matter.ts'

const MAX_FILES = 1_000
const MAX_BYTES = 262_144

export interface Folder {
  readonly path: string
  readonly origin: Origin
}
export type DefinitionSet = { readonly [K in Kind]: ReadonlyMap<string, Definitions[K]> }
interface File extends Folder {
  readonly kind: Kind
  readonly bytes: number
  readonly stamp: string
}

interface Found {
  readonly files: readonly File[]
  /** Folders that are not there. */
  readonly missing: readonly string[]
}

/** The files that may hold definitions, in the order of the folders, each with what changes when it does. At most 1,000 of a kind in a folder. */
export async function filesOf(folders: readonly Folder[]): Promise<Found> {
  const found: File[] = []
  const missing: string[] = []
  for (const { path, origin } of folders) {
    const isThere = await stat(path).then(
      (it) => it.isDirectory(),
      () => false,
    )
    if (!isThere) missing.push(path)
    for (const kind of KINDS) {
      const folder = join(path, `${kind}s`)
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort()
      const files = names.slice(0, MAX_FILES).map(async (name) => {
        const file = join(folder, name)
        const { size, mtimeMs } = await stat(file).catch(() => ({ size: -1, mtimeMs: 0 }))
        return { path: file, origin, kind, bytes: size, stamp: `${file}\0${size}\0${mtimeMs}` }
      })
      found.push(...(await Promise.all(files)).filter(({ bytes }) => bytes >= 0))
    }
  }
  return { files: found, missing }
}

/** Read them. Of one name the last counts; one that is faulty is left out and told of. */
export async function readFiles(files: readonly File[], fault: (file: string, says: string) => void): Promise<DefinitionSet> {
  const { parse } = await import('yaml')
  const set = { agent: new Map(), skill: new Map(), hook: new Map(), rule: new Map() }
  for (const { path, kind, origin, bytes } of files) {
    try {
      if (bytes > MAX_BYTES) throw new Faulty(`it has more than ${MAX_BYTES} bytes`)
      const { yaml, body } = splitFrontMatter(await readFile(path, 'utf8'))
      const head: unknown = parse(yaml, { maxAliasCount: 10 })
      if (typeof head !== 'object' || head === null || Array.isArray(head)) throw new Faulty('its front matter is no mapping')
      const definition = readDefinition(kind, head as Readonly<Record<string, unknown>>, body, origin)
      set[kind].set(definition.name, definition)
    } catch (error) {
      fault(path, error instanceof Error ? error.message : String(error))
    }
  }
  return set
}

export const revisionOf = (set: DefinitionSet): string => {
  const hash = createHash('sha256')
  for (const kind of KINDS) hash.update(JSON.stringify([...set[kind].values()]))
  return hash.digest('hex')
}
