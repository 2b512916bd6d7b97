import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from './audit-folder.ts'
import { readHead } from './audit-head.ts'
import { type ChainPoint, decodeRecord, genesis } from './audit-record.ts'

/** Where a tenant’s trail goes on. */
export interface Tail extends ChainPoint {
  /** Day of the newest file, '' before the first. */
  readonly day: string
  /** Bytes of that file. */
  readonly length: number
  /** Set when the trail did not end as it was left: becomes the details of an `audit.recovered` record. */
  readonly recovered?: Recovered
}

export interface Recovered {
  /** Bytes after the last whole record, kept in `file`: a write that a power cut tore. */
  readonly torn?: readonly { readonly file: string; readonly bytes: number }[]
  /** The trail was once synced up to this record, which it no longer ends with or reaches; or nobody can tell any more. */
  readonly head?: ChainPoint | 'damaged'
}

/** Find the last whole record, setting aside what stands after it. Makes the folder when there is none. */
export async function openTail(folder: string, tenantId: string): Promise<Tail> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { days } = await listFolder(folder)
  const torn: { file: string; bytes: number }[] = []
  let newest: { day: string; length: number } | undefined
  let last: ChainPoint | undefined
  // More than the newest file is read only when that one holds no whole record.
  for (const name of days.toReversed()) {
    const end = await readEnd(join(folder, name))
    if (end.bytes > end.length) torn.push(await setAside(folder, name, end.length))
    newest ??= { day: name.slice(0, 10), length: end.length }
    last = end.last
    if (last) break
  }
  last ??= genesis(tenantId)
  const recovered: Recovered = { ...(torn.length > 0 && { torn }), ...contradiction(await readHead(folder), last) }
  return {
    seq: last.seq,
    hash: last.hash,
    day: newest?.day ?? '',
    length: newest?.length ?? 0,
    ...(Object.keys(recovered).length > 0 && { recovered }),
  }
}

function contradiction(head: ChainPoint | 'none' | 'damaged', last: ChainPoint): Pick<Recovered, 'head'> {
  if (head === 'none') return {}
  const holds = head !== 'damaged' && (head.seq < last.seq || (head.seq === last.seq && head.hash === last.hash))
  return holds ? {} : { head }
}

interface End {
  readonly last?: ChainPoint
  /** Bytes up to the end of the last whole record. */
  readonly length: number
  readonly bytes: number
}

const FIRST_WINDOW = 64 * 1024
// Far beyond any torn write; a longer unreadable end is damage to look at, not to repair unseen.
const LAST_WINDOW = 64 * 1024 * 1024

async function readEnd(path: string): Promise<End> {
  const handle = await open(path, 'r')
  try {
    const bytes = (await handle.stat()).size
    for (let window = FIRST_WINDOW; window <= LAST_WINDOW; window *= 4) {
      const from = Math.max(0, bytes - window)
      const found = lastWhole(await readFrom(handle, from, bytes), from === 0)
      if (found) return { last: found.last, length: from + found.end, bytes }
      if (from === 0) return { length: 0, bytes }
    }
  } finally {
    await handle.close()
  }
  throw new Error(`${path} holds no whole record in its last ${LAST_WINDOW} bytes: run \`gateway audit verify\` and move the file aside.`)
}

function lastWhole(buffer: Buffer, fromStart: boolean): { last: ChainPoint; end: number } | undefined {
  for (let end = buffer.lastIndexOf(10) + 1; end > 0; ) {
    const start = end < 2 ? 0 : buffer.lastIndexOf(10, end - 2) + 1
    if (start === 0 && !fromStart) return undefined
    const record = decodeRecord(buffer.subarray(start, end - 1))
    if (record?.intact) return { last: { seq: record.seq, hash: record.hash }, end }
    end = start
  }
  return undefined
}

async function readFrom(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from)
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** First kept, synced, then cut: at no moment are the bytes nowhere. Appending, as two recoveries may meet at one place. */
async function setAside(folder: string, name: string, length: number): Promise<{ file: string; bytes: number }> {
  const file = `${name.slice(0, 10)}.${length}.torn`
  const source = await open(join(folder, name), 'r+')
  const kept = await open(join(folder, file), 'a', 0o600)
  try {
    const { size } = await source.stat()
    const rest = await readFrom(source, length, size)
    await kept.appendFile(rest)
    await kept.sync()
    await source.truncate(length)
    return { file, bytes: rest.length }
  } finally {
    await source.close()
    await kept.close()
  }
}
