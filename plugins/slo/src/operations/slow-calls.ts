import type { Infer } from '@gateway/sdk'
import type { slowCallSchema } from '../schema.ts'

export type SlowCall = Infer<typeof slowCallSchema>

/** The latest slow calls of all tenants: the oldest is dropped when there are too many. */
export class SlowCalls {
  static readonly MAX = 1_000
  #calls: SlowCall[] = []
  #next = 0

  add(call: SlowCall): void {
    this.#calls[this.#next] = call
    this.#next = (this.#next + 1) % SlowCalls.MAX
  }

  forget(tenantId: string): void {
    this.#calls = this.#inOrder().filter((call) => call.tenantId !== tenantId)
    this.#next = this.#calls.length % SlowCalls.MAX
  }

  /** Newest first. */
  latest(limit: number, wanted: (call: SlowCall) => boolean): SlowCall[] {
    return this.#inOrder().reverse().filter(wanted).slice(0, limit)
  }

  #inOrder(): SlowCall[] {
    return [...this.#calls.slice(this.#next), ...this.#calls.slice(0, this.#next)]
  }
}
