import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { frontMatterReader } from '@gateway/sdk/front-matter'
import { type Definitions, Faulty, KINDS, type Kind, type Origin, readDefinition } from '../rules/definition.ts'
import { definitionFiles, type FoundFile } from './definition-files.ts'

const MAX_BYTES = 262_144

export interface Folder {
  readonly path: string
  readonly origin: Origin
}
export type DefinitionSet = { readonly [K in Kind]: ReadonlyMap<string, Definitions[K]> }
interface File extends Folder, Pick<FoundFile, 'folders' | 'bytes' | 'stamp'> {
  readonly kind: Kind
}
/** A file that is left out, or a folder that has more files than are read. */
export interface LeftOut {
  readonly kind: Kind
  readonly file: string
  readonly reason: string
}

interface Found {
  readonly files: readonly File[]
  readonly missing: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

/** Lists the files that may hold definitions, in the order of the folders, each with a stamp that changes when it does. */
export async function filesOf(folders: readonly Folder[]): Promise<Found> {
  const found: File[] = []
  const missing: string[] = []
  const leftOut: LeftOut[] = []
  for (const { path, origin } of folders) {
    const exists = await isFolder(path)
    if (!exists) missing.push(path)
    const roots = await Promise.all(
      KINDS.map(async (kind) => ({ kind, folder: join(path, `${kind}s`), exists: await isFolder(join(path, `${kind}s`)) })),
    )
    // A collection without these folders holds agents and skills.
    const whole = exists && !roots.some((root) => root.exists) ? (['agent', 'skill'] as const) : []
    for (const { kind, folder } of [...roots.filter((root) => root.exists), ...whole.map((kind) => ({ kind, folder: path }))]) {
      const { files, more } = await definitionFiles(kind, folder, folder === path)
      found.push(...files.map((file) => ({ ...file, kind, origin })))
      if (more) leftOut.push({ kind, file: folder, reason: `it has more than ${files.length} files of ${kind}s` })
    }
  }
  return { files: found, missing, leftOut }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (it) => it.isDirectory(),
    () => false,
  )
}

/** Reads the files. The last file of a name wins; a faulty one is left out. */
export async function readFiles(files: readonly File[]): Promise<{ readonly set: DefinitionSet; readonly leftOut: readonly LeftOut[] }> {
  const read = await frontMatterReader()
  const set = { agent: new Map(), skill: new Map(), hook: new Map(), rule: new Map() }
  const leftOut: LeftOut[] = []
  for (const { path, kind, bytes, ...place } of files) {
    try {
      if (bytes > MAX_BYTES) throw new Faulty(`it must have at most ${MAX_BYTES} bytes; got ${bytes}`)
      const { head, body, fault = 'it does not begin with front matter between two lines of ---' } = read(await readFile(path, 'utf8'))
      if (head === undefined) throw new Faulty(fault)
      const definition = readDefinition(kind, head, body, place)
      set[kind].set(definition.name, definition)
    } catch (error) {
      leftOut.push({ kind, file: path, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { set, leftOut }
}

export const revisionOf = (set: DefinitionSet): string => {
  const hash = createHash('sha256')
  for (const kind of KINDS) hash.update(JSON.stringify([...set[kind].values()]))
  return hash.digest('hex')
}
