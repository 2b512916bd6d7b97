import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Unavailable } from '@gateway/sdk'
import type { Answer, GitSettings, Request } from '../helper/protocol.ts'

/** The helper ended before it answered. The refs show if its write was done. */
export class HelperLost extends Error {
  override readonly name = 'HelperLost'
}

interface Asked {
  readonly running: Running
  readonly piece?: (piece: unknown) => void
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}
interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<string>
  version?: string
}
export interface HelperSettings extends GitSettings {
  readonly idleSeconds: number
  readonly heapMegabytes: number
}

/** Maximum number of open questions: beyond it callers come faster than git works. */
const MAX_OPEN = 2_000
const START_LIMIT_MS = 30_000
const END_LIMIT_MS = 2_000

/** The gateway's handle on the helper: started by the first question, again after it died, ended when it is idle. */
export class HelperProcess {
  readonly #settings: HelperSettings
  readonly #asked = new Map<number, Asked>()
  #running: Running | undefined
  #nextId = 0
  #idle: NodeJS.Timeout | undefined
  #disposed = false

  constructor(settings: HelperSettings) {
    this.#settings = settings
  }

  get pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** Returns the version of a recent enough git; throws UNAVAILABLE without one. */
  version(): Promise<string> {
    return this.#started().ready
  }

  async ask(op: string, folder: string, args: readonly unknown[], piece?: (id: number, piece: unknown) => void): Promise<unknown> {
    if (this.#asked.size >= MAX_OPEN)
      throw Unavailable({ message: 'Too many git requests are in progress; try again shortly.', retryAfterSeconds: 1 })
    const running = this.#started()
    await running.ready
    if (this.#running !== running) throw new HelperLost('git’s helper ended')
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { running, resolve, reject, ...(piece && { piece: (part) => piece(id, part) }) })
      clearTimeout(this.#idle)
      running.child.send({ id, op, folder, args } satisfies Request, (error) => {
        if (!error) return
        // The pipe of a killed helper breaks before its end is known, and the next question needs another helper.
        this.#forget(running)
        this.#settle(id, ({ reject }) => reject(new HelperLost(error.message)))
      })
    })
  }

  pull(id: number, next: boolean): void {
    if (this.#running?.child.connected) this.#running.child.send({ id, next } satisfies Request, () => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await this.#end()
  }

  #started(): Running {
    if (this.#disposed) throw Unavailable({ message: 'The gateway is stopping.' })
    this.#running ??= this.#start()
    return this.#running
  }

  #start(): Running {
    const { program, limits, heapMegabytes } = this.#settings
    const settings: GitSettings = { program, limits }
    // The helper is a package entry, found by its name, because it stays a file when other modules are bundled. It always runs as built.
    const child = fork(fileURLToPath(import.meta.resolve('@gateway/plugin-git/helper')), [JSON.stringify(settings)], {
      execArgv: [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=2'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const running: Running = { child, ready: this.#ready(child) }
    running.ready.then((version) => (running.version = version)).catch(() => this.#forget(running))
    child.on('message', (answer: Answer) => this.#hear(answer))
    child.once('exit', () => {
      this.#forget(running)
      for (const [id, asked] of this.#asked)
        if (asked.running === running) this.#settle(id, ({ reject }) => reject(new HelperLost('git’s helper ended')))
    })
    return running
  }

  #ready(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      const missing = (fault: string): void => {
        child.kill('SIGKILL')
        reject(
          Unavailable({
            message: `This needs git 2.38 or newer, and ${fault}. Install git, or set its path: GATEWAY_GIT, or plugins.git.program in gateway.config.json.`,
            setting: 'GATEWAY_GIT',
          }),
        )
      }
      const late = setTimeout(() => missing('its helper process does not start'), START_LIMIT_MS)
      child.once('error', (error) => missing(`its helper process cannot be started (${error.message})`))
      child.once('exit', () => missing('its helper process ended at its start'))
      child.once('message', (answer: Answer) => {
        clearTimeout(late)
        if (!('ready' in answer)) return
        if (answer.fault !== undefined || answer.version === undefined) missing(answer.fault ?? 'there is none')
        else resolve(answer.version)
      })
    })
  }

  #hear(answer: Answer): void {
    if ('ready' in answer) return
    if ('piece' in answer) return this.#asked.get(answer.id)?.piece?.(answer.piece)
    this.#settle(answer.id, ({ resolve, reject }) => {
      if ('value' in answer) resolve(answer.value)
      else if (answer.busy)
        reject(Unavailable({ message: 'Too many writes to this repository are waiting; try again shortly.', retryAfterSeconds: 1 }))
      else reject(new Error(answer.error))
    })
  }

  #settle(id: number, how: (asked: Asked) => void): void {
    const asked = this.#asked.get(id)
    if (!asked) return
    this.#asked.delete(id)
    how(asked)
    if (this.#asked.size > 0 || this.#disposed) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#end(), this.#settings.idleSeconds * 1_000).unref()
  }

  #forget(running: Running): void {
    if (this.#running === running) this.#running = undefined
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#running?.child
    this.#running = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const impatient = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
    if (child.connected) child.send({ end: true } satisfies Request, () => {})
    await ended
    clearTimeout(impatient)
  }
}
