import type { Answers, Client, ClientAbility, InputRequests, LogLevel } from '@gateway/sdk'
import type { TimeLimit } from './time-limits.ts'

/** Client of a call with a time limit. The time that a person or a client takes does not count as the handler's time. */
export class UntimedClient implements Client {
  readonly #client: Client
  readonly #limit: TimeLimit

  constructor(client: Client, limit: TimeLimit) {
    this.#client = client
    this.#limit = limit
  }

  get session(): string | undefined {
    return this.#client.session
  }

  can(ability: ClientAbility): boolean {
    return this.#client.can(ability)
  }

  ask<const R extends InputRequests>(requests: R): Promise<Answers<R>> {
    return this.#limit.outside(this.#client.ask(requests))
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#client.log(level, data, logger)
  }

  async detach(options?: { readonly required?: boolean }): Promise<void> {
    await this.#client.detach(options)
    // A client that supports tasks has a task by now, which it can cancel; for others there is no answer to wait for.
    if (this.#client.can('tasks')) this.#limit.free()
  }
}
