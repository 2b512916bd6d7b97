import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AuditEntry, UnwrittenRecordError } from '@gateway/kernel'
import { dayFile, nextName } from './day-file.ts'
import { syncFolder } from './folder.ts'
import type { HandlePool } from './handles.ts'
import { writeHead } from './head.ts'
import { missingIn } from './missing-facts.ts'
import type { OwedReserve, ReservedRecords } from './owed-reserve.ts'
import { type ChainPoint, chainRecord, dayOf, encodeFacts } from './record.ts'
import { openTail, type Recovered, type Tail } from './tail.ts'

interface Records {
  readonly at: number
  readonly day: string
  readonly facts: readonly string[]
  /** True for a call that has changed something. */
  readonly done: boolean
  /** Place in the reserve, for records that are owed. */
  readonly reserved?: number | undefined
  /** True for records of an earlier process, which may have written them just before it was killed. */
  readonly replayed?: boolean
}

interface Waiting extends Records {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface KnownElsewhere {
  /** The end of the trail according to another source. */
  end(): Promise<ChainPoint | undefined>
  /** Called if the trail was found in another state than it was left. */
  recovered(what: Recovered): void
  /** Keeps owed records beyond this process, if they fit. */
  readonly reserve?: Pick<OwedReserve, 'keep' | 'release'>
}
const NOBODY: KnownElsewhere = { end: async () => undefined, recovered() {} }

/**
 * The trail of one tenant. Its owner runs one `flush` at a time:
 *
 * 1. The first one finds the end of the chain (`openTail`).
 * 2. All pending records of one day file are chained and written in one append. The chain runs through the files in the order of their names.
 * 3. Callers are answered when the bytes are in the file; `sync` later makes them durable.
 *
 * The chain advances only after a successful write, so a full disk leaves neither a gap nor half a record. Records of completed
 * calls that could not be written are owed, and wait for `settle`; the reserve holds them meanwhile, should the process be
 * killed.
 */
export class TenantTrail {
  readonly tenantId: string
  readonly #folder: string
  readonly #handles: HandlePool
  #waiting: Waiting[] = []
  #owed: Records[] = []
  /** Fault of the last write that left records owed. */
  lastFault: unknown
  /** State after the last write; read from the files again after any failure. */
  #tail: Tail | undefined
  /** To be recorded with the next write. */
  #recovered: Recovered | undefined
  // Also true for files of an earlier process, which may have been killed before it synced the folder.
  #folderChanged = true
  #syncFault: Error | undefined
  #toDisk: Promise<void> = Promise.resolve()
  readonly #known: KnownElsewhere
  /** The last record known to be durable. */
  onDisk: ChainPoint | undefined

  constructor(dir: string, tenantId: string, handles: HandlePool, known: KnownElsewhere = NOBODY) {
    this.tenantId = tenantId
    this.#folder = join(dir, tenantId)
    this.#handles = handles
    this.#known = known
  }

  get idle(): boolean {
    return this.#waiting.length === 0
  }

  /** Encodes at once, so that later changes of the entries have no effect and a bad entry fails only its own call. */
  append(entries: readonly [AuditEntry, ...AuditEntry[]]): Promise<void> {
    const { at, decision } = entries[0]
    return this.#wait({ at, day: dayOf(at), facts: entries.map(encodeFacts), done: decision === 'ok' })
  }

  get owes(): boolean {
    return this.#owed.length > 0
  }

  /** Takes over records that an earlier process owed. */
  inherit(records: readonly ReservedRecords[]): void {
    this.#owed.push(...records.map((one) => ({ ...one, done: true, replayed: true })))
  }

  /** Queues owed records for the next flush. */
  async settle(): Promise<void> {
    await Promise.all(this.#owed.splice(0).map((records) => this.#wait(records)))
  }

  #wait(records: Records): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ ...records, resolve, reject }))
  }

  /** Never throws: a failure is the answer to the waiting callers. */
  async flush(): Promise<void> {
    let batch: readonly Waiting[] = []
    try {
      const tail = await this.#current()
      const first = this.#waiting[0]
      if (!first) return
      const name = nextName(tail.name, first.day)
      batch = this.#take(name)
      await this.#write(batch, name === tail.name ? tail : await this.#turn(tail, name))
      this.#release(batch)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      await this.#forget()
      if (batch.length === 0) batch = this.#waiting.splice(0)
      this.lastFault = error
      this.#owed.push(...batch.filter(({ done }) => done).map((one) => this.#reserved(one)))
      for (const { done, reject } of batch) reject(done ? new UnwrittenRecordError(error) : error)
    }
  }

  /** Makes written records durable, then records the end in `head.json`. Never throws: the next append does. */
  async sync(): Promise<void> {
    try {
      if (this.#tail) await this.#bringToDisk(this.#tail)
    } catch (cause) {
      this.#syncFault = new Error(`The audit trail of tenant ${this.tenantId} could not be synced to the disk.`, { cause })
    }
  }

  #reserved(records: Records): Records {
    const reserved = records.reserved ?? this.#known.reserve?.keep({ ...records, tenantId: this.tenantId })
    return { ...records, reserved }
  }

  #release(batch: readonly Records[]): void {
    this.#known.reserve?.release(batch.flatMap(({ reserved }) => reserved ?? []))
  }

  /** Stops writing, because its files are about to be removed. */
  async leave(): Promise<void> {
    this.#release(this.#owed.splice(0))
    await this.#toDisk
    await this.#forget()
  }

  async #current(): Promise<Tail> {
    const fault = this.#syncFault
    this.#syncFault = undefined
    if (fault) throw fault
    if (this.#tail) return this.#tail
    const tail = await openTail(this.#folder, this.tenantId, await this.#known.end())
    if (tail.recovered) {
      this.#recovered = { ...this.#recovered, ...tail.recovered }
      this.#known.recovered(tail.recovered)
    }
    this.#tail = tail
    return tail
  }

  /** After a failed write or sync only the file shows what it contains. */
  async #forget(): Promise<void> {
    const tail = this.#tail
    this.#tail = undefined
    if (tail) await this.#handles.discard(this.#path(tail))
  }

  /** Takes the leading pending records that belong to the file of this name. */
  #take(name: string): readonly Waiting[] {
    const next = this.#waiting.findIndex((one) => nextName(name, one.day) !== name)
    return this.#waiting.splice(0, next === -1 ? this.#waiting.length : next)
  }

  async #turn(tail: Tail, name: string): Promise<Tail> {
    // The next sync covers only the new file, and recovery assumes that a file followed by another is complete.
    await this.#bringToDisk(tail)
    this.#folderChanged = true
    return { ...tail, name, length: 0 }
  }

  async #write(batch: readonly Waiting[], tail: Tail): Promise<void> {
    let point: ChainPoint = tail
    let text = ''
    let offset = tail.length
    let length = tail.length
    const facts: string[] = []
    for (const one of batch) facts.push(...(one.replayed ? await missingIn(this.#folder, tail, one.facts) : one.facts))
    if (this.#recovered) facts.unshift(encodeFacts(this.#note(this.#recovered, batch[0]?.at ?? 0)))
    for (const one of facts) {
      const record = chainRecord(one, point)
      point = record
      text += `${record.line}\n`
      offset = length
      length += Buffer.byteLength(record.line) + 1
    }
    await this.#handles.use(this.#path(tail), async (handle) => {
      try {
        // Writes to the page cache, which costs less than passing it to a thread and waiting; `sync` waits for the disk.
        appendFileSync(handle.fd, text)
      } catch (error) {
        // Bytes that were written belong to calls that are now refused. If the cut fails too, the next open sets them aside.
        await handle.truncate(tail.length).catch(() => {})
        throw error
      }
    })
    this.#recovered = undefined
    this.#tail = { seq: point.seq, hash: point.hash, file: dayFile(tail.name), offset, name: tail.name, length }
  }

  #note(recovered: Recovered, at: number): AuditEntry {
    return {
      at,
      principal: { id: 'system', kind: 'system', role: 'system', tenantId: this.tenantId },
      name: 'audit.recovered',
      tool: 'audit',
      argsDigest: '',
      decision: 'ok',
      requestId: 'recovery',
      via: 'job',
      details: { ...recovered },
    }
  }

  /** Writes take turns: a change of day may run next to a sync, and the head must advance, its first version through one draft. */
  #bringToDisk(tail: Tail): Promise<void> {
    const done = this.#toDisk.then(() => this.#syncUpTo(tail))
    this.#toDisk = done.catch(() => {})
    return done
  }

  async #syncUpTo(tail: Tail): Promise<void> {
    if (tail.name === '') return
    await this.#handles.use(this.#path(tail), (handle) => handle.datasync())
    if (this.#folderChanged) await this.#syncFolders()
    if (tail.seq === 0) return
    await writeHead(this.#folder, tail)
    this.onDisk = { seq: tail.seq, hash: tail.hash }
  }

  async #syncFolders(): Promise<void> {
    this.#folderChanged = false
    try {
      await syncFolder(this.#folder)
      await syncFolder(dirname(this.#folder))
    } catch (error) {
      this.#folderChanged = true
      throw error
    }
  }

  #path({ name }: Tail): string {
    return join(this.#folder, dayFile(name))
  }
}
