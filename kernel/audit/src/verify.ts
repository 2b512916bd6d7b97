import { join } from 'node:path'
import type { AuditFault } from '@gateway/sdk'
import { dayOfFile } from './day-file.ts'
import { assertTenantId, listFolder } from './folder.ts'
import { readHead } from './head.ts'
import { type Line, linesOf } from './lines.ts'
import { type ChainPoint, decodeRecord, genesis, type StoredRecord } from './record.ts'
import { readStart } from './start.ts'

export interface AuditSummary {
  readonly tenantId: string
  readonly files: number
  readonly records: number
  readonly faults: number
  /** Facts to know that are not faults: torn writes that were set aside, or no head to check against. */
  readonly notes: readonly string[]
  /** The last record. A copy kept outside the gateway also proves that the whole trail was not rewritten. */
  readonly last: ChainPoint
  /** End of a partial verification; absent at the end of the trail. */
  readonly next?: TrailPlace
}

/** A position after this many bytes of a day file, and the record that ends there. */
export interface TrailPlace extends ChainPoint {
  readonly file: string
  readonly byte: number
  readonly line: number
}

/** A part of a trail: its start, and about how many bytes. Default: the whole. */
export interface TrailPart {
  readonly from?: TrailPlace | undefined
  readonly maxBytes?: number
  /** The last record that the store knows. */
  readonly stored?: ChainPoint | undefined
}

/**
 * Walks a tenant's whole trail in constant memory, also while the gateway writes it. Each fault is reported once, and the walk
 * continues from the data found. Not detected: the loss of records younger than `head.json` (one second) at the very end, and a
 * trail that somebody with write access recomputed from some record on; compare `last` for that. `stored`, read beforehand, is
 * the end according to the store, the only evidence of a whole missing trail.
 */
export async function verifyAudit(
  dir: string,
  tenantId: string,
  report: (fault: AuditFault) => void,
  { from, maxBytes = Number.POSITIVE_INFINITY, stored }: TrailPart = {},
): Promise<AuditSummary> {
  assertTenantId(tenantId)
  const folder = join(dir, tenantId)
  // Read before the files, which only grow, so that everything the head promises must be found.
  const head = await readHead(folder)
  const { days: all, torn } = await listFolder(folder)
  const start = await readStart(folder)
  const kept = start === undefined ? all : all.filter((file) => file > start.file)
  // Ignored if its target was purged meanwhile.
  const place = from && from.seq >= (start?.seq ?? 0) ? from : undefined
  const days = place === undefined ? kept : kept.filter((file) => file >= place.file)
  const walk = new ChainWalk(place ?? start ?? genesis(tenantId), { head, stored }, report, place)
  let left = maxBytes
  for (const [index, file] of days.entries()) {
    let byte = file === place?.file ? place.byte : 0
    for await (const line of linesOf(join(folder, file), { start: byte, growing: index === days.length - 1 })) {
      walk.line(file, line)
      byte += line.bytes.length + 1
      left -= line.bytes.length + 1
      if (left <= 0) return summary({ file, byte, line: walk.lineNumber, ...walk.last })
    }
  }
  walk.end(days.at(-1) ?? '')
  return summary()

  function summary(next?: TrailPlace): AuditSummary {
    const notes = torn.map((file) => `${file} keeps what a power cut tore off the trail.`)
    if (start !== undefined) notes.push(`Records 1 to ${start.seq} were purged with the days up to ${dayOfFile(start.file)}.`)
    if (head === 'none' && walk.records > 0) notes.push('There is no head.json: whether records are missing at the end cannot be told.')
    return { tenantId, files: days.length, records: walk.records, faults: walk.faults, notes, last: walk.last, ...(next && { next }) }
  }
}

/** A record that the trail is known to have contained. */
interface Promised {
  readonly by: string
  readonly point: ChainPoint
  kept: boolean
}

class ChainWalk {
  records = 0
  faults = 0
  last: ChainPoint
  readonly #promises: readonly Promised[]
  readonly #damagedHead: boolean
  readonly #report: (fault: AuditFault) => void
  #file: string
  #line: number

  constructor(
    start: ChainPoint,
    { head, stored }: { readonly head: ChainPoint | 'none' | 'damaged'; readonly stored: ChainPoint | undefined },
    report: (fault: AuditFault) => void,
    place?: { readonly file: string; readonly line: number },
  ) {
    this.last = { seq: start.seq, hash: start.hash }
    this.#file = place?.file ?? ''
    this.#line = place?.line ?? 0
    this.#damagedHead = head === 'damaged'
    const promised = [
      ...(typeof head === 'object' ? [{ by: 'head.json', point: head }] : []),
      ...(stored === undefined ? [] : [{ by: 'the store', point: stored }]),
    ]
    // A promise of a purged record counts as kept: records after the start are younger.
    this.#promises = promised.map((one) => ({ ...one, kept: start.seq > 0 && one.point.seq <= start.seq }))
    this.#report = report
  }

  /** Line number in its file, from 1. */
  get lineNumber(): number {
    return this.#line
  }

  line(file: string, { bytes, ended }: Line): void {
    this.#line = file === this.#file ? this.#line + 1 : 1
    this.#file = file
    const seq = this.last.seq + 1
    if (!ended) return this.#fault('torn', seq, 'the last line has no end: a write was torn, or its end was cut off')
    const record = decodeRecord(bytes)
    if (!record) {
      this.last = { seq, hash: '' }
      return this.#fault('changed', seq, `the line is not a record (${bytes.length} bytes)`)
    }
    this.records++
    this.#compare(record, seq)
    this.last = { seq: record.seq, hash: record.hash }
  }

  end(file: string): void {
    this.#file = file
    this.#line = 0
    if (this.#damagedHead) this.#fault('head', this.last.seq, 'head.json is damaged: whether records are missing at the end cannot be told')
    const [broken] = this.#promises.filter(({ kept }) => !kept).toSorted((a, b) => b.point.seq - a.point.seq)
    if (broken === undefined) return
    const { seq } = broken.point
    if (seq <= this.last.seq) return this.#fault('changed', seq, `record ${seq} is not the one ${broken.by} names`)
    this.#fault(
      'missing',
      seq,
      file === '' ? `the trail is gone: it had ${seq} records` : `records ${this.last.seq + 1} to ${seq} are missing at the end`,
    )
  }

  #compare(record: StoredRecord, expected: number): void {
    const { seq } = record
    for (const promise of this.#promises) if (seq === promise.point.seq) promise.kept ||= record.hash === promise.point.hash
    if (!record.intact) return this.#fault('changed', expected, 'the record does not match its own hash')
    if (seq > expected)
      return this.#fault(
        'missing',
        expected,
        seq === expected + 1 ? `record ${expected} is missing` : `records ${expected} to ${seq - 1} are missing`,
      )
    if (seq < expected)
      return this.#fault('inserted', seq, `record ${seq} stands where record ${expected} belongs: repeated, or out of order`)
    // After an unreadable line there is nothing to compare with, and that line is reported.
    if (this.last.hash !== '' && record.prev !== this.last.hash)
      return this.#fault('changed', seq, 'the record does not follow the one before it: one of them was replaced')
    if (record.at.slice(0, 10) > dayOfFile(this.#file))
      return this.#fault('inserted', seq, `a record of ${record.at.slice(0, 10)} stands in an earlier day’s file`)
    const lost = record.name === 'audit.recovered' ? (record.details?.head as ChainPoint | 'damaged' | undefined) : undefined
    if (typeof lost === 'object')
      this.#fault('missing', seq, `at this restart the trail had lost its end: record ${lost.seq} had been written and was gone or another`)
  }

  #fault(kind: AuditFault['kind'], seq: number, message: string): void {
    this.faults++
    this.#report({ file: this.#file, line: this.#line, seq, kind, message })
  }
}
