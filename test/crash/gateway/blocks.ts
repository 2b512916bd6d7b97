import { readFileSync } from 'node:fs'

/** Returns the CPU time of the main thread of a process, in nanoseconds. Only Linux keeps it by thread. */
export function mainThreadCpu(pid = process.pid): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0])
}

/** Measures the CPU time between turns of the event loop of its own process. The loop does not idle meanwhile. */
export class Blocks {
  #isWatching = false
  #last = 0
  #longest = 0

  begin(): void {
    this.#isWatching = true
    this.#longest = 0
    this.#last = mainThreadCpu()
    setImmediate(() => this.#turn())
  }

  /** Returns the longest turn since `begin`, in nanoseconds. */
  end(): number {
    this.#isWatching = false
    return this.#longest
  }

  #turn(): void {
    const now = mainThreadCpu()
    this.#longest = Math.max(this.#longest, now - this.#last)
    this.#last = now
    if (this.#isWatching) setImmediate(() => this.#turn())
  }
}
