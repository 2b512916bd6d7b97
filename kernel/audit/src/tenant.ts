import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AuditEntry, RecordOwed } from '@gateway/kernel'
import { syncFolder } from './folder.ts'
import type { HandlePool } from './handles.ts'
import { writeHead } from './head.ts'
import { type ChainPoint, chainRecord, dayOf, encodeFacts } from './record.ts'
import { openTail, type Recovered, type Tail } from './tail.ts'

interface Records {
  readonly at: number
  readonly day: string
  readonly facts: readonly string[]
  /** Of a call that has changed something. */
  readonly done: boolean
}

interface Waiting extends Records {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** What its owner knows, and wants to know. */
interface KnownElsewhere {
  /** How far the trail had come, as somebody else kept it. */
  end(): Promise<ChainPoint | undefined>
  /** It was found otherwise than it was left. */
  recovered(what: Recovered): void
}
const NOBODY: KnownElsewhere = { end: async () => undefined, recovered() {} }

/**
 * The trail of one tenant. Its owner runs one `flush` at a time:
 *
 * 1. the first one finds where the chain goes on (`openTail`);
 * 2. everything that waits for one day is put on the chain and written in one append;
 * 3. the callers are answered when the bytes are in the file; `sync` later brings them to the disk.
 *
 * The chain moves on only when the write has succeeded, so a full disk leaves neither a gap nor a half record. What it kept out
 * of the trail although it was done is owed, and waits for `settle`.
 */
export class TenantTrail {
  readonly tenantId: string
  readonly #folder: string
  readonly #handles: HandlePool
  #waiting: Waiting[] = []
  #owed: Records[] = []
  /** Of the last write that left something owed. */
  lastFault: unknown
  /** As of the last write; read from the files again after any failure. */
  #tail: Tail | undefined
  /** To be noted with the next write. */
  #recovered: Recovered | undefined
  // Also what an earlier process made: it may have been killed before it synced the folder.
  #folderChanged = true
  #syncFault: Error | undefined
  #toDisk: Promise<void> = Promise.resolve()
  readonly #known: KnownElsewhere
  /** The last record that is known to be on the disk. */
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

  /** Encodes at once: what is recorded is what stood in the entries now, and a bad entry fails its own call alone. */
  append(entries: readonly [AuditEntry, ...AuditEntry[]]): Promise<void> {
    const { at, decision } = entries[0]
    return this.#wait({ at, day: dayOf(at), facts: entries.map(encodeFacts), done: decision === 'ok' })
  }

  get owes(): boolean {
    return this.#owed.length > 0
  }

  /** Have what is owed wait for the next flush again. */
  async settle(): Promise<void> {
    await Promise.all(this.#owed.splice(0).map((records) => this.#wait(records)))
  }

  #wait({ at, day, facts, done }: Records): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ at, day, facts, done, resolve, reject }))
  }

  /** Never throws: a failure is the answer to the callers that waited. */
  async flush(): Promise<void> {
    let batch: readonly Waiting[] = []
    try {
      const tail = await this.#current()
      const first = this.#waiting[0]
      if (!first) return
      // A day file follows the one before it also when the clock steps back: the chain runs through the files in order.
      const day = first.day > tail.day ? first.day : tail.day
      batch = this.#take(day)
      await this.#write(batch, day === tail.day ? tail : await this.#turn(tail, day))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      await this.#forget()
      if (batch.length === 0) batch = this.#waiting.splice(0)
      this.lastFault = error
      this.#owed.push(...batch.filter(({ done }) => done))
      for (const { done, reject } of batch) reject(done ? new RecordOwed(error) : error)
    }
  }

  /** Bring what is written to the disk, then say in `head.json` how far that is. Never throws: the next append does. */
  async sync(): Promise<void> {
    try {
      if (this.#tail) await this.#bringToDisk(this.#tail)
    } catch (cause) {
      this.#syncFault = new Error(`The audit trail of tenant ${this.tenantId} could not be synced to the disk.`, { cause })
    }
  }

  /** Nothing more is written by it: its files are about to go. */
  async leave(): Promise<void> {
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

  /** After a failed write or sync only the file knows what is in it. */
  async #forget(): Promise<void> {
    const tail = this.#tail
    this.#tail = undefined
    if (tail) await this.#handles.discard(this.#path(tail.day))
  }

  /** The leading run of what waits that belongs to `day`. */
  #take(day: string): readonly Waiting[] {
    const next = this.#waiting.findIndex((one) => one.day > day)
    return this.#waiting.splice(0, next === -1 ? this.#waiting.length : next)
  }

  async #turn(tail: Tail, day: string): Promise<Tail> {
    // The next sync looks at the new file only, and recovery trusts that a file with one after it is whole.
    await this.#bringToDisk(tail)
    this.#folderChanged = true
    return { ...tail, day, length: 0 }
  }

  async #write(batch: readonly Waiting[], tail: Tail): Promise<void> {
    let point: ChainPoint = tail
    let text = ''
    let offset = tail.length
    let length = tail.length
    const facts = batch.flatMap((one) => one.facts)
    if (this.#recovered) facts.unshift(encodeFacts(this.#note(this.#recovered, batch[0]?.at ?? 0)))
    for (const one of facts) {
      const record = chainRecord(one, point)
      point = record
      text += `${record.line}\n`
      offset = length
      length += Buffer.byteLength(record.line) + 1
    }
    await this.#handles.use(this.#path(tail.day), async (handle) => {
      try {
        // To the page cache, which costs less than handing it to a thread and waiting; `sync` is what waits for the disk.
        appendFileSync(handle.fd, text)
      } catch (error) {
        // What did get in belongs to calls that are now refused. Should the cut fail too, the next open sets it aside.
        await handle.truncate(tail.length).catch(() => {})
        throw error
      }
    })
    this.#recovered = undefined
    this.#tail = { seq: point.seq, hash: point.hash, file: dayFile(tail.day), offset, day: tail.day, length }
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

  /** One at a time: a turn of the day comes beside a sync, and the head has to go forward, its first one through one draft. */
  #bringToDisk(tail: Tail): Promise<void> {
    const done = this.#toDisk.then(() => this.#syncUpTo(tail))
    this.#toDisk = done.catch(() => {})
    return done
  }

  async #syncUpTo(tail: Tail): Promise<void> {
    if (tail.day === '') return
    await this.#handles.use(this.#path(tail.day), (handle) => handle.datasync())
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

  #path(day: string): string {
    return join(this.#folder, dayFile(day))
  }
}

const dayFile = (day: string): string => `${day}.jsonl`
