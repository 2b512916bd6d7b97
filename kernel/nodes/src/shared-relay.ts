import { newId, type Relay, type RelayMessage, type Subscriber } from '@gateway/kernel'
import { DuplicateKey, isToolError, type Transaction } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { type Bundle, bundles, type RelayHead, relayHead } from './collections.ts'

const HEAD = 'head'
/** Delay of another node's messages; each poll is one read by id. */
const POLL_MS = 250
const BUNDLES_PER_READ = 200
const MAX_BACKLOG = 5_000
const RETRY_MS = 1_000

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
  readonly #subscribers = new Map<string, { readonly subscriber: Subscriber; readonly own: boolean }[]>()
  readonly #gapListeners: (() => void | Promise<void>)[] = []
  #lastRead = 0
  #polling: Promise<void> | undefined
  #nextPoll: Promise<void> | undefined
  #isFailing = false
  #backlog: RelayMessage[] = []
  #publishing: Promise<void> | undefined
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
    this.#lastRead = await this.#lastPublished()
  }

  async publishInTransaction(tx: Transaction, message: RelayMessage): Promise<void> {
    await this.#append(tx, [message])
  }

  publish(message: RelayMessage): void {
    if (this.#backlog.length >= MAX_BACKLOG) this.#backlog.shift()
    this.#backlog.push(message)
    this.#publishing ??= this.#publishBacklog()
  }

  async publishDurably(message: RelayMessage): Promise<void> {
    await this.#store.atomically(KERNEL_TENANT)((tx) => this.#append(tx, [message]))
  }

  catchUp(): Promise<void> {
    // A poll that has begun may have read before the caller's moment; the next one has not.
    if (this.#polling === undefined) return this.#poll()
    this.#nextPoll ??= this.#polling.then(
      () => this.#poll(),
      () => this.#poll(),
    )
    return this.#nextPoll
  }

  subscribe(topic: string, subscriber: Subscriber, { own } = { own: false }): void {
    this.#subscribers.set(topic, [...(this.#subscribers.get(topic) ?? []), { subscriber, own }])
  }

  onGap(forget: () => void | Promise<void>): void {
    this.#gapListeners.push(forget)
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#pollQuietly(), POLL_MS).unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#publishing
    await this.#polling?.catch(() => undefined)
  }

  #poll(): Promise<void> {
    this.#nextPoll = undefined
    this.#polling = this.#readNew().finally(() => (this.#polling = undefined))
    return this.#polling
  }

  async #pollQuietly(): Promise<void> {
    try {
      await this.catchUp()
      if (this.#isFailing) this.#log.info('messages of other nodes are received again')
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'messages of other nodes cannot be received')
      this.#isFailing = true
    }
  }

  async #readNew(): Promise<void> {
    const last = await this.#lastPublished()
    while (this.#lastRead < last) {
      const { items } = await this.#bundles().find({
        where: { seq: { gt: this.#lastRead, lte: last } },
        sort: { seq: 1 },
        limit: BUNDLES_PER_READ,
      })
      if (items[0]?.seq !== this.#lastRead + 1) return this.#skipTo(last)
      for (const { seq, node, messages } of items) {
        if (seq !== this.#lastRead + 1) return this.#skipTo(last)
        for (const message of JSON.parse(messages) as RelayMessage[]) await this.#deliver(message, node === this.nodeId)
        // Advanced after delivery to all: a fault in between delivers the messages again instead of losing them.
        this.#lastRead = seq
      }
    }
  }

  async #deliver(message: RelayMessage, isOwn: boolean): Promise<void> {
    for (const { subscriber, own } of this.#subscribers.get(message.topic) ?? []) if (own || !isOwn) await subscriber(message)
  }

  async #skipTo(last: number): Promise<void> {
    this.#log.warn({ lastRead: this.#lastRead, published: last }, 'messages of other nodes were missed; cached state is reloaded')
    for (const forget of this.#gapListeners) await forget()
    this.#lastRead = last
  }

  /** Bundles are sent in turn: messages published meanwhile go with the next. */
  async #publishBacklog(): Promise<void> {
    // A turn later, so that one call's messages go together.
    await new Promise(setImmediate)
    let isFailing = false
    while (this.#backlog.length > 0) {
      const messages = this.#backlog
      this.#backlog = []
      try {
        await this.#store.atomically(KERNEL_TENANT)((tx) => this.#append(tx, messages))
        if (isFailing) this.#log.info('messages are published to the other nodes again')
        isFailing = false
      } catch (error) {
        if (!isFailing)
          this.#log.warn({ err: error, messages: messages.length }, 'messages could not be published to the other nodes; they are retried')
        isFailing = true
        if (this.#stopped) break
        this.#backlog = [...messages, ...this.#backlog].slice(-MAX_BACKLOG)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
    this.#publishing = undefined
  }

  async #append(tx: Transaction, messages: readonly RelayMessage[]): Promise<void> {
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
        messages: JSON.stringify(messages),
        publishedAt: tx.now.toISOString(),
      })
  }

  async #lastPublished(): Promise<number> {
    return (await this.#heads().get(HEAD))?.seq ?? 0
  }

  #heads() {
    return this.#store.collection<RelayHead>(relayHead, KERNEL_TENANT)
  }

  #bundles() {
    return this.#store.collection<Bundle>(bundles, KERNEL_TENANT)
  }
}
