import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@gateway/sdk'
import type { SpanOutcome } from '../metrics.ts'
import type { Verdict } from '../rules/answer.ts'

export interface BatchParts<Item> {
  /** Throws if the collector cannot be reached. */
  readonly send: (items: readonly Item[], signal: AbortSignal) => Promise<Verdict>
  readonly count: (outcome: SpanOutcome, items: number) => void
  readonly log: Log
  readonly maxQueue: number
  readonly maxBatch: number
  readonly delayMs: number
}

/** Attempts at one batch; waiting spans fill the queue meanwhile. */
const ATTEMPTS = 5
const FIRST_WAIT_MS = 1_000
/** A stop waits no longer for a collector. */
const CLOSE_MS = 3_000

/** Spans to send, bounded in number and time; one batch is sent at a time. */
export class Batches<Item> {
  readonly #parts: BatchParts<Item>
  readonly #stop = new AbortController()
  #queue: Item[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isFailing = false
  #closed = false

  constructor(parts: BatchParts<Item>) {
    this.#parts = parts
  }

  /** On the hot path. */
  add(item: Item): void {
    const { maxQueue, maxBatch, delayMs, count } = this.#parts
    if (this.#closed || this.#queue.length >= maxQueue) return count('full', 1)
    this.#queue.push(item)
    if (this.#sending) return
    if (this.#queue.length >= Math.min(maxBatch, maxQueue)) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), delayMs).unref()
  }

  /** Sends the waiting spans, and gives the collector a few seconds for it. */
  async close(): Promise<void> {
    this.#closed = true
    const late = setTimeout(() => this.#stop.abort(), CLOSE_MS)
    if (!this.#sending && this.#queue.length > 0) this.#begin()
    await this.#sending
    clearTimeout(late)
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sendAll()
  }

  /** Sends everything that waited at the start, and every full batch since; the rest waits for its time. */
  async #sendAll(): Promise<void> {
    let wanted = this.#queue.length
    while (this.#queue.length > 0 && (this.#closed || wanted > 0 || this.#queue.length >= this.#parts.maxBatch)) {
      const items = this.#queue.slice(0, this.#parts.maxBatch)
      // They leave the queue now, so that there is room while they are sent.
      this.#queue = this.#queue.slice(items.length)
      wanted -= items.length
      await this.#deliver(items)
    }
    // Cleared at once, so that the next span starts a timer.
    this.#sending = undefined
    if (this.#queue.length > 0) this.#timer ??= setTimeout(() => this.#begin(), this.#parts.delayMs).unref()
  }

  async #deliver(items: readonly Item[]): Promise<void> {
    const { count, log } = this.#parts
    for (let attempt = 1; ; attempt++) {
      const verdict = await this.#attempt(items)
      if (verdict.is === 'accepted') {
        if (verdict.why !== undefined) log.warn('spans were refused', { spans: verdict.refused, why: verdict.why })
        else if (this.#isFailing) log.info('the collector takes spans again')
        this.#isFailing = false
        count('sent', Math.max(0, items.length - verdict.refused))
        return count('refused', Math.min(verdict.refused, items.length))
      }
      // Logged once, until it works again.
      if (!this.#isFailing) log.warn('spans could not be sent', { why: verdict.why })
      this.#isFailing = true
      if (verdict.is === 'refused') return count('refused', items.length)
      if (attempt >= ATTEMPTS || this.#stop.signal.aborted) return count('failed', items.length)
      const waitMs = verdict.afterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
      await pause(waitMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
    }
  }

  async #attempt(items: readonly Item[]): Promise<Verdict> {
    try {
      this.#stop.signal.throwIfAborted()
      return await this.#parts.send(items, this.#stop.signal)
    } catch (error) {
      return { is: 'retry', why: error instanceof Error ? error.message : String(error) }
    }
  }
}
