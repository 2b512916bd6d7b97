import type { Answers, Client, ClientAbility, InputRequests, LogLevel } from '@gateway/sdk'
import type { TimeLimit } from './time-limits.ts'

/** The client of a call that has a time limit: what a person or a client takes their time for is not the handler’s time. */
export class PatientClient implements Client {
  readonly #client: Client
  readonly #limit: TimeLimit

  constructor(client: Client, limit: TimeLimit) {
    this.#client = client
    this.#limit = limit
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
    // Where the client can be let go it has a task by now, which it can cancel; where not, this asked for nothing.
    if (this.#client.can('tasks')) this.#limit.free()
  }
}
