import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface NodeOptions {
  readonly where: { readonly dataDir: string } | { readonly url: string; readonly serverTimes: boolean }
  /** Lead of this node's clock over the store's. */
  readonly aheadMs: number
  readonly everySeconds: number
  readonly lockSeconds: number
}

/** A gateway's jobs in a separate process, and the words it prints, in order. */
export class NodeProcess {
  readonly said: string[] = []
  #looks = 0
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #heard = (): void => {}

  constructor(options: NodeOptions) {
    const program = fileURLToPath(new URL('node-process.ts', import.meta.url))
    this.#child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#exited = once(this.#child, 'exit')
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (word) => {
      if (word === 'looked') this.#looks++
      else this.said.push(word)
      this.#heard()
    })
  }

  /** Resolves when it has printed `word` this many times. */
  says(word: string, times = 1): Promise<void> {
    return this.#until(() => this.said.filter((one) => one === word).length >= times)
  }

  /** Resolves when it has polled this many times from now on: everything that it would have begun by then has begun. */
  looks(times = 2): Promise<void> {
    const enough = this.#looks + times
    return this.#until(() => this.#looks >= enough)
  }

  async #until(holds: () => boolean): Promise<void> {
    const ended = this.#exited.then(() => Promise.reject(new Error(`the node ended; it had said ${this.said.join(', ')}`)))
    ended.catch(() => {})
    while (!holds()) await Promise.race([new Promise<void>((resolve) => (this.#heard = resolve)), ended])
  }

  tell(word: 'end a run' | 'stop'): void {
    this.#child.stdin?.write(`${word}\n`)
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async stop(): Promise<void> {
    this.tell('stop')
    await this.#exited
  }
}
