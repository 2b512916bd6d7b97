import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf } from './lines.ts'
import { type ChainPoint, decodeRecord, type RecordPlace, type StoredRecord } from './record.ts'

export interface ChainEnd {
  /** The last record of the chain; absent if the files hold no complete record. */
  readonly last?: RecordPlace
  /** Bytes of `file` from `length` on, and later files, are not part of the chain. */
  readonly file: string
  readonly length: number
}

/**
 * Walks the chain forward to the first record that does not follow: on a disk that reorders writes, complete records can exist
 * after a hole. The first record, at byte `offset` of the first file, must be `first`; any complete one if that is omitted.
 */
export async function walkChain(folder: string, files: readonly string[], offset: number, first?: ChainPoint): Promise<ChainEnd> {
  let last: RecordPlace | undefined
  let end: ChainEnd = { file: '', length: 0 }
  for (const [index, file] of files.entries()) {
    let position = index === 0 ? offset : 0
    for await (const { bytes, ended } of linesOf(join(folder, file), { start: position })) {
      const record = ended ? decodeRecord(bytes) : undefined
      if (!record?.intact || !(last ? follows(record, last) : isOrAny(record, first))) return endAt(last, file, position)
      last = { seq: record.seq, hash: record.hash, file, offset: position }
      position += bytes.length + 1
    }
    end = endAt(last, file, position)
  }
  return end
}

const follows = (record: StoredRecord, last: ChainPoint): boolean => record.seq === last.seq + 1 && record.prev === last.hash
const isOrAny = (record: ChainPoint, first: ChainPoint | undefined): boolean =>
  first === undefined || (record.seq === first.seq && record.hash === first.hash)

const endAt = (last: RecordPlace | undefined, file: string, length: number): ChainEnd => ({ ...(last && { last }), file, length })

/** Searches for the last complete record from the end. It reads more than the newest file only if that one holds none. */
export async function lastCompleteRecord(folder: string, files: readonly string[]): Promise<ChainEnd> {
  for (const file of files.toReversed()) {
    const found = await lastCompleteRecordIn(folder, file)
    if (found) return found
  }
  return { file: '', length: 0 }
}

const FIRST_WINDOW = 64 * 1024
// Far beyond any torn write; a longer unreadable end is damage for an operator to inspect, not to repair silently.
const LAST_WINDOW = 64 * 1024 * 1024

async function lastCompleteRecordIn(folder: string, file: string): Promise<ChainEnd | undefined> {
  const path = join(folder, file)
  const handle = await open(path, 'r')
  try {
    const bytes = (await handle.stat()).size
    for (let window = FIRST_WINDOW; window <= LAST_WINDOW; window *= 4) {
      const from = Math.max(0, bytes - window)
      const found = lastCompleteRecordOf(await readFrom(handle, from, bytes), from === 0)
      if (found) return endAt({ ...found.point, file, offset: from + found.start }, file, from + found.end)
      if (from === 0) return undefined
    }
  } finally {
    await handle.close()
  }
  throw new Error(`${path} has no complete record in its last ${LAST_WINDOW} bytes: run \`gateway audit verify\` and move the file aside.`)
}

function lastCompleteRecordOf(buffer: Buffer, fromStart: boolean): { point: ChainPoint; start: number; end: number } | undefined {
  for (let end = buffer.lastIndexOf(10) + 1; end > 0; ) {
    const start = end < 2 ? 0 : buffer.lastIndexOf(10, end - 2) + 1
    if (start === 0 && !fromStart) return undefined
    const record = decodeRecord(buffer.subarray(start, end - 1))
    if (record?.intact) return { point: { seq: record.seq, hash: record.hash }, start, end }
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
