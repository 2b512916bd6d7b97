import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, upTo } from '../crash/powercut/random.ts'
import type { Call } from './history.ts'

const program = join(import.meta.dirname, 'worker.mjs')

export interface FleetOptions {
  readonly folder: string
  readonly size: number
  readonly keys: readonly string[]
  /** Speed of the store's clock, as a multiple of real time. */
  readonly speed: number
  readonly random: Random
}

/** Processes that compete for the same leases; a killed one is replaced by another with its own name. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #children: ChildProcess[] = []
  #url = ''
  answered = 0
  #started = 0

  constructor(options: FleetOptions) {
    this.#options = options
    for (let n = 0; n < options.size; n++) this.#children.push(this.#start(n))
  }

  direct(url: string): void {
    this.#url = url
    for (const child of this.#children) child.send({ url })
  }

  /** Pauses a process, without its knowledge, for the given milliseconds. */
  pauseOne(ms: number): void {
    const child = this.#any()
    child.kill('SIGSTOP')
    setTimeout(() => child.kill('SIGCONT'), ms)
  }

  killOne(): void {
    const place = upTo(this.#options.random, this.#children.length)
    this.#children[place]?.kill('SIGKILL')
    const child = this.#start(place)
    this.#children[place] = child
    child.send({ url: this.#url })
  }

  async end(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const exits = running.map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(exits)
  }

  #any(): ChildProcess {
    return this.#children[upTo(this.#options.random, this.#children.length)] as ChildProcess
  }

  #start(place: number): ChildProcess {
    const { folder, keys, speed, random } = this.#options
    const holder = `host-${place}/lane/${this.#started++}`
    const file = join(folder, `${holder.replaceAll('/', '_')}.jsonl`)
    const task = { holder, file, keys, speed, seed: upTo(random, 1_000_000) }
    const child = fork(program, [JSON.stringify(task)], { execArgv: [], env: { PATH: process.env.PATH } })
    child.on('message', () => this.answered++)
    return child
  }
}

/** Returns milliseconds of the one clock that all processes of a machine share. */
export const sharedTime = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * Returns every call the processes recorded, and the lines they could not parse. `ends` are the times at which a gateway was
 * gone, in order: requests of a killed process to it can no longer be executed.
 */
export function readHistory(
  folder: string,
  ends: readonly number[],
): { readonly calls: (Call & { readonly id: string })[]; readonly faults: string[] } {
  const calls = new Map<string, Call & { readonly id: string }>()
  const faults: string[] = []
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    // The last line is empty, or was cut short by a kill.
    for (const line of lines.slice(0, -1)) {
      const { fault, unsent, ...part } = JSON.parse(line) as Call & { id: string; fault?: string; unsent?: true }
      if (unsent) calls.delete(part.id)
      else calls.set(part.id, { ...calls.get(part.id), ...part })
      if (fault !== undefined) faults.push(`${part.id}: ${fault}`)
    }
  }
  const settled = [...calls.values()].map((call) => {
    const lost = call.lost ?? ends.find((end) => end >= call.invoked)
    return call.answer || lost === undefined ? call : { ...call, lost }
  })
  return { calls: settled, faults }
}
