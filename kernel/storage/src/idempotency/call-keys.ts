import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DuplicateKey, isToolError, now, type ToolError, type Transaction, Unavailable } from '@gateway/sdk'
import type { Store } from '../port.ts'
import { CallCommit, CommitLost } from './call-commit.ts'
import { KeyInProgress, KeyReused } from './errors.ts'
import { type Answer, keptAnswer, type Replay, replayOf, usesUpKey } from './kept-answer.ts'
import { callKeys, isExpired, type KeyedCall, type KeyRecord, keyIdOf } from './record.ts'
import { ReservedEnds } from './reserved-ends.ts'

/** A reservation ends this long after its process was last seen. */
const RESERVED_SECONDS = 60
const RENEW_MS = 20_000
const RETRY_AFTER_SECONDS = 1
/** A call whose transaction conflicts with those of other nodes this often is refused, and leaves nothing. */
const MAX_CONFLICTS = 12
const FIRST_PAUSE_MS = 4
const MAX_PAUSE_MS = 400

/** Runs the call; with a commit, every write of the call belongs to it. Never rejects. */
type Attempt = (commit: CallCommit | undefined) => Promise<Answer>

/**
 * Runs calls with an idempotency key once.
 *
 * 1. A key that has an answer is answered with it, and one whose call is running is refused.
 * 2. The call runs, and its writes, the key and the answer are stored in one commit (`CallCommit`).
 * 3. A call with effects beyond one commit reserves its key first, and the answer is stored when it ends (`ReservedEnds`). If the
 *    process dies in between, the reservation ends and a repeated call runs again.
 * 4. An answer that does not use up the key leaves nothing behind: the call's writes are undone, and the reservation is removed.
 */
export class CallKeys {
  readonly #store: Store
  readonly #process = randomUUID()
  /** Digests of the running calls of this process, by key. */
  readonly #running = new Map<string, string>()
  readonly #ends: ReservedEnds

  constructor(store: Store) {
    this.#store = store
    this.#ends = new ReservedEnds(store, this.#process, this.#running)
  }

  /** Rejects with KeyReused, KeyInProgress or UNAVAILABLE. */
  async once(call: KeyedCall, isReserved: boolean, attempt: Attempt): Promise<Answer | Replay> {
    const keyId = keyIdOf(call)
    const name = nameOf(call, keyId)
    const running = this.#running.get(name)
    if (running !== undefined) throw running === call.digest ? this.#inProgress(call) : KeyReused({ tool: call.tool })
    this.#running.set(name, call.digest)
    try {
      const earlier = (await this.#ends.answerOf(name, call)) ?? (await this.#replay(call, keyId))
      return earlier ?? (await this.#first(call, keyId, isReserved, attempt))
    } catch (error) {
      // Another node was first with this key; what this one did is undone.
      const replay = isTaken(error) ? await this.#replay(call, keyId) : undefined
      if (replay) return replay
      throw isTaken(error) ? this.#inProgress(call) : error
    } finally {
      this.#running.delete(name)
    }
  }

  /**
   * A conflict with another node never leads to a reservation: a reserved call whose process dies, or whose store does not answer, may
   * take effect twice.
   */
  async #first(call: KeyedCall, keyId: string, isReserved: boolean, attempt: Attempt): Promise<Answer> {
    if (isReserved) return this.#reserved(call, keyId, attempt)
    for (let i = 0; i < MAX_CONFLICTS; i++) {
      const outcome = await this.#joined(call, keyId, attempt)
      if (outcome === 'lost') return this.#reserved(call, keyId, attempt)
      if (outcome !== 'conflict') return outcome
      // Nodes that conflicted must not meet again at the same moment.
      await pause(Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** i))
    }
    throw Unavailable({ message: 'The store is busy: others kept changing the same documents.', retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** Runs the call in one commit. It is lost if an `atomically` of the call failed after another of its changes. */
  async #joined(call: KeyedCall, keyId: string, attempt: Attempt): Promise<Answer | 'lost' | 'conflict'> {
    const keys = this.#keys(call)
    const reserve = (tx: Transaction): Promise<unknown> => keys.in(tx).insert(this.#reservation(call, keyId, tx.now))
    const commit = new CallCommit(this.#store, call.tenantId, reserve)
    const answer = await this.#renewed(call, keyId, () => commit.isHandedOver, attempt(commit))
    if (commit.refusal) throw commit.refusal
    if (commit.isLost) {
      await commit.undo()
      return commit.isConflicted ? 'conflict' : 'lost'
    }
    if (!usesUpKey(answer, commit.isHandedOver)) {
      await commit.undo()
      if (commit.isHandedOver) await this.#end(call, keyId, answer, false)
      return answer
    }
    const insert = (tx: Transaction): Promise<unknown> => keys.in(tx).insert(answered(call, keyId, tx.now, answer))
    try {
      if (!(await commit.complete(insert))) await this.#end(call, keyId, answer, true)
      return answer
    } catch (error) {
      // On a store of several nodes, two transactions that insert one key conflict before either is committed.
      if (commit.isConflicted) return 'conflict'
      if (error instanceof CommitLost || commit.isLost) return 'lost'
      throw error
    }
  }

  async #reserved(call: KeyedCall, keyId: string, attempt: Attempt): Promise<Answer> {
    await this.#keys(call).insert(this.#reservation(call, keyId, await this.#store.now()))
    const answer = await this.#renewed(call, keyId, () => true, attempt(undefined))
    await this.#end(call, keyId, answer, usesUpKey(answer, true))
    return answer
  }

  /** Renews the reservation while the call runs. A store of one process needs no renewal: the reservation ends with the process. */
  async #renewed(call: KeyedCall, keyId: string, isReserved: () => boolean, running: Promise<Answer>): Promise<Answer> {
    const renew = (): void => {
      if (!isReserved()) return
      const until = { set: { until: now(RESERVED_SECONDS) } }
      this.#keys(call)
        .updateOne(keyId, until, { process: this.#process })
        .catch(() => {})
    }
    const renewal = this.#store.shared ? setInterval(renew, RENEW_MS).unref() : undefined
    try {
      return await running
    } finally {
      clearInterval(renewal)
    }
  }

  #end(call: KeyedCall, keyId: string, answer: Answer, isUsed: boolean): Promise<void> {
    return this.#ends.add(nameOf(call, keyId), call, answer, isUsed)
  }

  async #replay(call: KeyedCall, keyId: string): Promise<Replay | undefined> {
    const keys = this.#keys(call)
    const found = await keys.get(keyId)
    if (!found) return undefined
    const time = (await this.#store.now()).getTime()
    if (isExpired(found, time) || this.#isAbandoned(found, time)) {
      await keys.deleteOne(keyId, { at: found.at, ...(found.until !== undefined && { until: found.until }) })
      return undefined
    }
    if (found.digest !== call.digest) throw KeyReused({ tool: call.tool })
    if (found.answer === undefined) throw this.#inProgress(call)
    return replayOf(found.answer)
  }

  /**
   * The process of a reservation has died, or this process does not run the call: a running call of this process is refused before its
   * record is read. The embedded store has one process at a time, so any other is gone.
   */
  #isAbandoned({ process, until = '' }: KeyRecord, time: number): boolean {
    if (process === undefined) return false
    if (process === this.#process) return true
    return !this.#store.shared || Date.parse(until) <= time
  }

  #reservation(call: KeyedCall, keyId: string, at: Date): KeyRecord {
    const until = new Date(at.getTime() + RESERVED_SECONDS * 1_000).toISOString()
    return { ...recordOf(call, keyId, at), process: this.#process, until }
  }

  #inProgress({ tool }: KeyedCall): ToolError {
    return KeyInProgress({ tool, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  #keys({ tenantId }: KeyedCall) {
    return this.#store.collection<KeyRecord>(callKeys, tenantId)
  }
}

/** Names the key of any tenant. */
const nameOf = ({ tenantId }: KeyedCall, keyId: string): string => `${tenantId}\n${keyId}`

const recordOf = ({ caller, tool, digest }: KeyedCall, keyId: string, at: Date): KeyRecord => ({
  keyId,
  caller,
  tool,
  digest,
  at: at.toISOString(),
})

const answered = (call: KeyedCall, keyId: string, at: Date, answer: Answer): KeyRecord => ({
  ...recordOf(call, keyId, at),
  answer: keptAnswer(answer, call.output),
})

const isTaken = (error: unknown): boolean =>
  isToolError(error) && error.code === DuplicateKey.code && (error.details as { collection?: unknown }).collection === callKeys.id
