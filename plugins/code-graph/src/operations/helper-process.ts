import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Unavailable } from '@gateway/sdk'
import type { Ask, Extent, Progress, Shard, Told } from '../rules/protocol.ts'
import type { AnswerTo, Question } from '../rules/questions.ts'
import { notReadYet } from './not-read-yet.ts'

export interface Keep {
  load(): Promise<readonly Shard[]>
  save(shards: readonly Shard[]): Promise<void>
}
export interface Asked<Q extends Question> {
  readonly answer: AnswerTo<Q>
  readonly extent: Extent
}
export interface HelperSettings {
  readonly idleSeconds: number
  readonly heapMegabytes: number
  readonly answerSeconds: number
}
export interface Waiting {
  readonly signal: AbortSignal
  progress(read: number, files: number): void
}
type Ended = Exclude<Told, { reading: string } | { progress: Progress }>
interface Open {
  readonly resolve: (message: Ended) => void
  readonly progress: (progress: Progress) => void
  readonly reject: (error: Error) => void
}

const MAX_OPEN = 500
/** Maximum number of parser crashes one question survives. A file that crashes its parser is excluded from then on. */
const MAX_LOST = 5
const MAX_POISON = 100

class HelperLost extends Error {}

/**
 * The helper process as the gateway manages it: started by the first question, restarted after it died, ended when it is idle.
 */
export class HelperProcess {
  readonly #settings: HelperSettings
  readonly #open = new Map<number, Open>()
  readonly #poison = new Set<string>()
  #child: ChildProcess | undefined
  #reading: string | undefined
  #nextId = 0
  #idle: NodeJS.Timeout | undefined
  #disposed = false

  constructor(settings: HelperSettings) {
    this.#settings = settings
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async ask<Q extends Question>(root: string, question: Q, keep: Keep, waiting: Waiting): Promise<Asked<Q>> {
    let shards: readonly Shard[] | undefined
    for (let lost = 0; ; ) {
      try {
        const message = await this.#send({ root, question, ...(shards && { shards }) }, waiting)
        if ('error' in message) throw new Error(message.error)
        if ('needsShards' in message) shards = await keep.load()
        else {
          if (message.shards.length > 0) await keep.save(message.shards)
          return { answer: message.answer as AnswerTo<Q>, extent: message.extent }
        }
      } catch (error) {
        if (!(error instanceof HelperLost) || this.#disposed) throw error
        if (++lost > MAX_LOST)
          throw Unavailable({ message: 'The helper process of the code graph keeps crashing; the log has the reason.' })
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await this.#end()
  }

  #send(ask: Omit<Ask, 'id' | 'poison'>, { signal, progress }: Waiting): Promise<Ended> {
    if (this.#disposed) throw Unavailable({ message: 'The gateway is stopping.' })
    if (this.#open.size >= MAX_OPEN) throw Unavailable({ message: 'Too many code graph requests are in progress.', retryAfterSeconds: 1 })
    signal.throwIfAborted()
    this.#child ??= this.#start()
    clearTimeout(this.#idle)
    const [id, child] = [this.#nextId++, this.#child]
    const { answerSeconds } = this.#settings
    let reached: Progress | undefined
    return new Promise((resolve, reject) => {
      const settle =
        <T>(with_: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late)
          signal.removeEventListener('abort', gone)
          this.#open.delete(id)
          this.#rest()
          with_(value)
        }
      const fail = settle(reject)
      const gone = (): void => fail(signal.reason as Error)
      const late = setTimeout(() => fail(notReadYet(reached)), answerSeconds * 1_000)
      signal.addEventListener('abort', gone, { once: true })
      const moved = (now: Progress): void => {
        reached = now
        progress(now.read, now.files)
      }
      this.#open.set(id, { resolve: settle(resolve), reject: fail, progress: moved })
      child.send({ ...ask, id, poison: [...this.#poison] } satisfies Ask, (error) => {
        if (!error) return
        // A killed process refuses messages before its exit is reported; the next question needs another process.
        this.#lose(child, error.message)
        fail(new HelperLost(error.message))
      })
    })
  }

  #start(): ChildProcess {
    // Resolved by its package name, since it stays a file where others are bundled. It always runs as built.
    const child = fork(fileURLToPath(import.meta.resolve('@gateway/plugin-code-graph/helper')), {
      execArgv: [`--max-old-space-size=${this.#settings.heapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', (message: Told) => {
      // A later message means that the previous file was survived.
      this.#reading = 'reading' in message ? message.reading : undefined
      if ('reading' in message) return
      const open = this.#open.get(message.id)
      if ('progress' in message) open?.progress(message.progress)
      else open?.resolve(message)
    })
    child.once('error', (error) => this.#lose(child, error.message))
    child.once('exit', (code, signal) => this.#lose(child, `it ended (${signal ?? code})`))
    return child
  }

  #lose(child: ChildProcess, how: string): void {
    if (this.#child !== child) return
    this.#child = undefined
    if (this.#reading !== undefined) this.#poison.add(this.#reading)
    if (this.#poison.size > MAX_POISON) this.#poison.delete(this.#poison.values().next().value as string)
    this.#reading = undefined
    for (const { reject } of this.#open.values()) reject(new HelperLost(`the code graph’s helper was lost: ${how}`))
  }

  #rest(): void {
    if (this.#open.size > 0 || this.#disposed) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#end(), this.#settings.idleSeconds * 1_000).unref()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#child
    this.#child = undefined
    for (const { reject } of this.#open.values()) reject(Unavailable({ message: 'The gateway is stopping.' }))
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}
