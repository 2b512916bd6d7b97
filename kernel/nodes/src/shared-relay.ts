import { type Hearer, type Note, newId, type Relay } from '@gateway/kernel'
import { DuplicateKey, isToolError, type Transaction } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { type Bundle, bundles, type RelayHead, relayHead } from './collections.ts'

const HEAD = 'head'
/** Delay of another node's messages; each poll is one read by id. */
const LISTEN_EVERY_MS = 250
const BUNDLES_AT_ONCE = 200
const MAX_UNTOLD = 5_000
const TRY_AGAIN_MS = 1_000

/** A relay over the store itself. It starts after all messages published so far. */
export async function openSharedRelay(parts: { store: Store; nodeId: string; log: Logger }): Promise<Relay> {
  const relay = new SharedRelay(parts)
  await relay.open()
  return relay
}

class SharedRelay implements Relay {
  readonly nodeId: string
  readonly #store: Store
  readonly #log: Logger
  readonly #hearers = new Map<string, Hearer[]>()
  readonly #forgetters: (() => void | Promise<void>)[] = []
  #heard = 0
  #listening: Promise<void> | undefined
  #listeningNext: Promise<void> | undefined
  #deaf = false
  #untold: Note[] = []
  #telling: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor({ store, nodeId, log }: { store: Store; nodeId: string; log: Logger }) {
    this.nodeId = nodeId
    this.#store = store
    this.#log = log
  }

  async open(): Promise<void> {
    try {
      await this.#heads().insert({ id: HEAD, seq: 0 })
    } catch (error) {
      if (!isToolError(error) || error.code !== DuplicateKey.code) throw error
    }
    this.#heard = await this.#lastTold()
  }

  async tellIn(tx: Transaction, note: Note): Promise<void> {
    await this.#append(tx, [note])
  }

  tell(note: Note): void {
    if (this.#untold.length >= MAX_UNTOLD) this.#untold.shift()
    this.#untold.push(note)
    this.#telling ??= this.#tellAll()
  }

  async tellSurely(note: Note): Promise<void> {
    await this.#store.atomically(KERNEL_TENANT)((tx) => this.#append(tx, [note]))
  }

  catchUp(): Promise<void> {
    // A poll that has begun may have read before the caller's moment; the next one has not.
    if (this.#listening === undefined) return this.#listen()
    this.#listeningNext ??= this.#listening.then(
      () => this.#listen(),
      () => this.#listen(),
    )
    return this.#listeningNext
  }

  hear(topic: string, hearer: Hearer): void {
    this.#hearers.set(topic, [...(this.#hearers.get(topic) ?? []), hearer])
  }

  onGap(forget: () => void | Promise<void>): void {
    this.#forgetters.push(forget)
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#listenQuietly(), LISTEN_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#telling
    await this.#listening?.catch(() => undefined)
  }

  #listen(): Promise<void> {
    this.#listeningNext = undefined
    this.#listening = this.#hearAll().finally(() => (this.#listening = undefined))
    return this.#listening
  }

  async #listenQuietly(): Promise<void> {
    try {
      await this.catchUp()
      if (this.#deaf) this.#log.info('other nodes can be heard again')
      this.#deaf = false
    } catch (error) {
      if (!this.#deaf) this.#log.warn({ err: error }, 'other nodes cannot be heard')
      this.#deaf = true
    }
  }

  async #hearAll(): Promise<void> {
    const last = await this.#lastTold()
    while (this.#heard < last) {
      const { items } = await this.#bundles().find({
        where: { seq: { gt: this.#heard, lte: last } },
        sort: { seq: 1 },
        limit: BUNDLES_AT_ONCE,
      })
      if (items[0]?.seq !== this.#heard + 1) return this.#startAfresh(last)
      for (const { seq, node, notes } of items) {
        if (seq !== this.#heard + 1) return this.#startAfresh(last)
        if (node !== this.nodeId) for (const note of JSON.parse(notes) as Note[]) await this.#hand(note)
        // Advanced after delivery to all: a fault in between delivers the messages again instead of losing them.
        this.#heard = seq
      }
    }
  }

  async #hand(note: Note): Promise<void> {
    for (const hearer of this.#hearers.get(note.topic) ?? []) await hearer(note)
  }

  async #startAfresh(last: number): Promise<void> {
    this.#log.warn({ heard: this.#heard, told: last }, 'notes of other nodes went by unheard; what was remembered is read anew')
    for (const forget of this.#forgetters) await forget()
    this.#heard = last
  }

  /** Bundles are sent in turn: messages published meanwhile go with the next. */
  async #tellAll(): Promise<void> {
    // A turn later, so that one call's messages go together.
    await new Promise(setImmediate)
    while (this.#untold.length > 0) {
      const notes = this.#untold
      this.#untold = []
      try {
        await this.#store.atomically(KERNEL_TENANT)((tx) => this.#append(tx, notes))
      } catch (error) {
        this.#log.warn({ err: error, notes: notes.length }, 'other nodes could not be told')
        if (this.#stopped) break
        this.#untold = [...notes, ...this.#untold].slice(-MAX_UNTOLD)
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS).unref())
      }
    }
    this.#telling = undefined
  }

  async #append(tx: Transaction, notes: readonly Note[]): Promise<void> {
    // Its number is taken in the same transaction, so a node that sees the head sees every bundle up to it.
    const head = await this.#heads()
      .in(tx)
      .updateOne(HEAD, { inc: { seq: 1 } })
    if (!head) throw new Error('the relay of this store has no head')
    await this.#bundles()
      .in(tx)
      .insert({
        bundleId: newId('note-', tx.now.getTime()),
        seq: head.seq,
        node: this.nodeId,
        notes: JSON.stringify(notes),
        toldAt: tx.now.toISOString(),
      })
  }

  async #lastTold(): Promise<number> {
    return (await this.#heads().get(HEAD))?.seq ?? 0
  }

  #heads() {
    return this.#store.collection<RelayHead>(relayHead, KERNEL_TENANT)
  }

  #bundles() {
    return this.#store.collection<Bundle>(bundles, KERNEL_TENANT)
  }
}
