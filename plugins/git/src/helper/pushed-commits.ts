import { once } from 'node:events'
import type { Oid, PushedChange, PushedCommit, PushedReading, PushedRef, Quarantine } from '../api.ts'
import { isOid, isPath } from '../rules/names.ts'
import { PUSHED_OPTIONS, PushedLogReader, type RawChange } from '../rules/pushed-log.ts'
import { ObjectReader } from './object-reader.ts'
import { MAIN, quarantined } from './push-facts.ts'
import type { OpenRepository } from './repository.ts'
import { startGit } from './run.ts'

/** Maximum changes, and bytes of texts, in one piece; the first limit reached ends it. */
const PIECE = 200
const PIECE_BYTES = 8 * 1_024 * 1_024
/** A plain file: no link, no program, no submodule. */
const PLAIN = '100644'

/** Yields the contents of the commits of a push, piece by piece: the next one is read when this one was consumed. */
export async function* pushedCommits(
  repository: OpenRepository,
  pushed: readonly PushedRef[],
  quarantine: Quarantine,
  reading: PushedReading,
): AsyncIterable<readonly PushedCommit[]> {
  const tips = pushed.flatMap(({ to }) => (to !== undefined && isOid(to) ? [to] : []))
  if (tips.length === 0) return
  const where = quarantined(repository, quarantine)
  const [main] = await repository.tips([MAIN])
  const bases = [...new Set([main, ...pushed.map(({ from }) => from)])].filter((base) => base !== undefined)
  const objects = new ObjectReader(where)
  const child = startGit(['log', ...PUSHED_OPTIONS, ...tips, '--not', '--all', '--'], where)
  child.stderr.resume()
  const ended = once(child, 'close')
  const size = Math.max(1, Math.min(PIECE, Math.floor(PIECE_BYTES / reading.textBytes)))
  const reader = new PushedLogReader(size)
  try {
    child.stdout.setEncoding('utf8')
    for await (const text of child.stdout)
      for (const piece of reader.read(text as string)) yield await withObjects(objects, piece, bases, reading)
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`git log of a push ended with ${code}`)
    for (const piece of reader.end()) yield await withObjects(objects, piece, bases, reading)
  } finally {
    child.kill()
    objects.close()
  }
}

export async function pushedText(
  repository: OpenRepository,
  oid: Oid,
  quarantine: Quarantine,
  maxBytes: number,
): Promise<string | undefined> {
  const objects = new ObjectReader(quarantined(repository, quarantine))
  try {
    const found = isOid(oid) ? await objects.contents(oid, maxBytes) : undefined
    return found?.type === 'blob' ? found.content?.toString() : undefined
  } finally {
    objects.close()
  }
}

type Piece = readonly { readonly sha: Oid; readonly changes: readonly RawChange[] }[]

async function withObjects(
  objects: ObjectReader,
  piece: Piece,
  bases: readonly Oid[],
  reading: PushedReading,
): Promise<readonly PushedCommit[]> {
  return Promise.all(
    piece.map(async ({ sha, changes }) => ({
      sha,
      changes: await Promise.all(
        changes.map(
          async (change): Promise<PushedChange> => ({
            ...change,
            ...(change.status !== 'D' && change.mode === PLAIN && (await fileOf(objects, change.blob, reading))),
            ...(change.status !== 'A' && { stood: await stood(objects, change.path, bases) }),
          }),
        ),
      ),
    })),
  )
}

async function fileOf(objects: ObjectReader, blob: Oid, { textBytes, maxBytes }: PushedReading): Promise<{ size?: number; text?: string }> {
  const found = await objects.info(blob)
  if (found?.type !== 'blob') return {}
  const { size } = found
  const text = size > maxBytes ? undefined : (await objects.contents(blob, textBytes))?.content?.toString()
  return { size, ...(text !== undefined && { text }) }
}

async function stood(objects: ObjectReader, path: string, bases: readonly Oid[]): Promise<boolean> {
  const found = isPath(path) ? await Promise.all(bases.map((base) => objects.info(`${base}:${path}`))) : []
  return found.some((one) => one !== undefined)
}
