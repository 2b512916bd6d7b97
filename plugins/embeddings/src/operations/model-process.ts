import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Log, Unavailable } from '@gateway/sdk'
import type { Answer, ChildArguments, Request } from '../rules/messages.ts'
import { type Job, TextQueue } from '../rules/text-queue.ts'

/** A text takes twenty milliseconds, loading the model a second; anything slower than this hangs. */
const HANGS_MS = 60_000
/** A text that ends the process twice is not retried again. */
const MAX_TRIES = 2
/** A process that does not stay alive gets a cooldown. */
const MAX_FAILURES = 3
const COOLDOWN_MS = 60_000

/** The model's process: started with the first text, ended when idle, restarted when it dies. */
export class ModelProcess {
  readonly #arguments: () => ChildArguments
  readonly #idleMs: number
  readonly #log: Pick<Log, 'warn'>
  readonly #queue = new TextQueue()
  #child: ChildProcess | undefined
  #current: Job | undefined
  #failures = 0
  #cooldownUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: { readonly arguments: () => ChildArguments; readonly idleMs: number; readonly log: Pick<Log, 'warn'> }) {
    this.#arguments = options.arguments
    this.#idleMs = options.idleMs
    this.#log = options.log
  }

  get running(): boolean {
    return this.#child !== undefined
  }

  /** Reason for the cooldown, if there is one now. */
  get fault(): string | undefined {
    return performance.now() < this.#cooldownUntil ? 'The process of the model did not stay alive; the log has its last words.' : undefined
  }

  embed(text: string, options: { readonly query: boolean; readonly signal?: AbortSignal | undefined }): Promise<Float32Array> {
    return this.#queue.add(text, options, () => this.#next())
  }

  #next(): void {
    if (this.#current) return
    const job = this.#queue.take()
    if (!job) return this.#rest()
    const { fault } = this
    if (fault !== undefined) {
      job.reject(Unavailable({ message: fault, retryAfterSeconds: Math.ceil(COOLDOWN_MS / 1_000) }))
      return this.#next()
    }
    this.#current = job
    job.tries++
    this.#child ??= this.#start()
    // A waiting caller keeps this process alive; the idle child does not.
    this.#hold(true)
    this.#watch(HANGS_MS, () => this.#child?.kill('SIGKILL'))
    this.#send({ kind: 'embed', id: job.id, text: job.text })
  }

  /** Ends the process after an idle time. */
  #rest(): void {
    this.#hold(false)
    this.#watch(this.#idleMs, () => {
      const child = this.#child
      this.#child = undefined
      child?.send({ kind: 'end' } satisfies Request, () => undefined)
    })
    this.#timer?.unref()
  }

  #start(): ChildProcess {
    const { library, models } = this.#arguments()
    const program = fileURLToPath(import.meta.resolve('@gateway/plugin-embeddings/helper'))
    const child = fork(program, [library, models], { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let lastWords = ''
    child.stderr?.on('data', (chunk: Buffer) => (lastWords = (lastWords + String(chunk)).slice(-2_000)))
    child.on('message', (answer: Answer) => this.#settle(child, answer))
    child.on('error', (error) => this.#lost(child, error.message))
    child.on('exit', (code, signal) => this.#lost(child, `it ended with ${signal ?? code}. ${lastWords}`))
    return child
  }

  #settle(child: ChildProcess, answer: Answer): void {
    const job = this.#current
    if (child !== this.#child || answer.kind === 'ready' || job?.id !== answer.id) return
    this.#current = undefined
    this.#failures = 0
    if (answer.kind === 'vector') job.resolve(answer.vector)
    else job.reject(new Error(`The model could not read a text: ${answer.error}`))
    this.#next()
  }

  #lost(child: ChildProcess, why: string): void {
    if (child !== this.#child) return
    this.#child = undefined
    this.#log.warn('The process of the embeddings ended', { why })
    if (++this.#failures >= MAX_FAILURES) {
      this.#failures = 0
      this.#cooldownUntil = performance.now() + COOLDOWN_MS
    }
    const job = this.#current
    this.#current = undefined
    if (job && job.tries < MAX_TRIES) this.#queue.putBack(job)
    else job?.reject(Unavailable({ message: 'The model process died while it read this text.' }))
    this.#next()
  }

  #send(request: Request): void {
    // A failed send is reported by `exit`.
    this.#child?.send(request, () => undefined)
  }

  #hold(holds: boolean): void {
    const child = this.#child
    if (!child) return
    const pipes = [child, child.channel, child.stderr as unknown as { ref?(): void; unref?(): void } | null]
    for (const one of pipes) {
      if (holds) one?.ref?.()
      else one?.unref?.()
    }
  }

  #watch(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }
}
