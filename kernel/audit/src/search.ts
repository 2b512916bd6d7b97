import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditPage, type AuditQuery, type AuditRecord, BadRequest, DAY_MS } from '@gateway/sdk'
import { dayFile, dayOfFile, isDayName, nameOf } from './day-file.ts'
import { listFolder } from './folder.ts'
import { linesBackward } from './lines-backward.ts'
import { dayOf } from './record.ts'

const MAX_BYTES_READ_PER_PAGE = 16 * 1024 * 1024
const MAX_FOUND = 2 * 1024 * 1024

/** A position before this byte of this day file. */
interface Place {
  readonly file: string
  readonly before: number
}

/** Finds the records of a trail that match a query, latest first, in constant memory, also while the gateway writes it. */
export async function searchTrail(folder: string, query: AuditQuery): Promise<AuditPage> {
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const { days } = await listFolder(folder)
  const found: AuditRecord[] = []
  let [left, room] = [MAX_BYTES_READ_PER_PAGE, MAX_FOUND]
  for (const file of mayHold(days, query)
    .filter((day) => from === undefined || day <= from.file)
    .reverse()) {
    const handle = await open(join(folder, file), 'r')
    try {
      const { size } = await handle.stat()
      for await (const lines of linesBackward(handle, file === from?.file ? Math.min(from.before, size) : size)) {
        for (const { bytes, start } of lines) {
          const record = recordOf(bytes)
          left -= bytes.length + 1
          if (record && meets(record, query)) {
            room -= bytes.length
            found.push(record)
          }
          if (found.length >= query.limit || left <= 0 || room <= 0)
            return { records: found, nextCursor: writeCursor({ file, before: start }) }
        }
      }
    } finally {
      await handle.close()
    }
  }
  return { records: found }
}

/**
 * Selects the files that may hold records of a time. A record is in the file of its day, or of the next one if the clock stepped back. In files
 * of earlier versions it may be in that of any later day, which was the newest, or is followed by an earlier day, while the clock was ahead.
 */
function mayHold(days: readonly string[], { from, until }: AuditQuery): readonly string[] {
  const last = until === undefined ? undefined : dayOf(Date.parse(until) + DAY_MS)
  return days.filter(
    (file, index) =>
      (from === undefined || dayOfFile(file) >= from.slice(0, 10)) &&
      (last === undefined || dayOfFile(file) <= last || dayOfFile(days[index + 1] ?? '') < dayOfFile(file)),
  )
}

function recordOf(line: Buffer): AuditRecord | undefined {
  try {
    const { prev: _prev, hash: _hash, ...record } = JSON.parse(line.toString())
    return typeof record.at === 'string' && typeof record.principal === 'object' ? record : undefined
  } catch {
    // Damage is reported by `gateway audit verify`.
    return undefined
  }
}

function meets(record: AuditRecord, { tool, name, principal, outcome, requestId, from, until }: AuditQuery): boolean {
  return (
    (tool === undefined || record.tool === tool) &&
    (name === undefined || record.name === name) &&
    (principal === undefined || record.principal.id === principal || record.principal.label === principal) &&
    (outcome === undefined || (outcome === 'refused' ? record.decision !== 'ok' : record.decision === outcome)) &&
    (requestId === undefined || record.requestId === requestId) &&
    (from === undefined || record.at >= from) &&
    (until === undefined || record.at < until)
  )
}

const writeCursor = ({ file, before }: Place): string => Buffer.from(`${nameOf(file)} ${before}`).toString('base64url')

function readCursor(cursor: string): Place {
  const [, name, before] = /^([\d_-]{10,26}) (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (name === undefined || !isDayName(name))
    throw BadRequest({ field: 'cursor', message: '`cursor` must be the `nextCursor` of the page before.' })
  return { file: dayFile(name), before: Number(before) }
}
