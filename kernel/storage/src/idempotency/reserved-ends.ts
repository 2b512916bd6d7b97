import { BoundedMap } from '@gateway/sdk/bounds'
import type { Store } from '../port.ts'
import { KeyReused } from './errors.ts'
import { type Answer, keptAnswer, type Replay, replayOf } from './kept-answer.ts'
import { callKeys, type KeyedCall, type KeyRecord, keyIdOf } from './record.ts'

/** Each holds at most one kept answer. A store that refuses writes also refuses reservations, so only calls that were running get here. */
const MAX_UNWRITTEN = 1_000

interface End {
  readonly call: KeyedCall
  /** JSON; absent if the key becomes free again. */
  readonly answer: string | undefined
}

/**
 * Writes the ends of reserved calls. Such a call has taken effect, so a store that refuses the write does not fail it: its end is kept in
 * memory, answers repeated calls, and is written before the next call with its key or after the next end that the store takes.
 */
export class ReservedEnds {
  readonly #store: Store
  readonly #process: string
  /** Keys in use by this process. */
  readonly #running: Map<string, string>
  readonly #unwritten = new BoundedMap<string, End>(MAX_UNWRITTEN)

  constructor(store: Store, process: string, running: Map<string, string>) {
    this.#store = store
    this.#process = process
    this.#running = running
  }

  /** Ends a call whose key is in use. Never rejects. */
  async add(name: string, call: KeyedCall, answer: Answer, usesUpKey: boolean): Promise<void> {
    const end = { call, answer: usesUpKey ? keptAnswer(answer, call.output) : undefined }
    try {
      await this.#write(end)
    } catch {
      this.#unwritten.set(name, end)
      return
    }
    await this.#writeOldest()
  }

  /** The answer of an earlier call, if the store still refuses it. Rejects as the store does if only the key's release is left. */
  async answerOf(name: string, call: KeyedCall): Promise<Replay | undefined> {
    const end = this.#unwritten.get(name)
    if (end === undefined) return undefined
    try {
      await this.#write(end)
      this.#unwritten.delete(name)
      return undefined
    } catch (error) {
      if (end.answer === undefined) throw error
      if (end.call.digest !== call.digest) throw KeyReused({ tool: call.tool })
      return replayOf(end.answer)
    }
  }

  async #writeOldest(): Promise<void> {
    const [oldest] = this.#unwritten
    if (oldest === undefined || this.#running.has(oldest[0])) return
    const [name, end] = oldest
    // A call that reserves the key in the meantime would lose its reservation.
    this.#running.set(name, end.call.digest)
    try {
      await this.#write(end)
      this.#unwritten.delete(name)
    } catch {
      // Another one is tried first the next time: a store may refuse the writes of one tenant alone.
      this.#unwritten.set(name, end)
    } finally {
      this.#running.delete(name)
    }
  }

  async #write({ call, answer }: End): Promise<void> {
    const keys = this.#store.collection<KeyRecord>(callKeys, call.tenantId)
    const own = { process: this.#process }
    if (answer === undefined) await keys.deleteOne(keyIdOf(call), own)
    else await keys.updateOne(keyIdOf(call), { set: { answer }, unset: ['process', 'until'] as const }, own)
  }
}
