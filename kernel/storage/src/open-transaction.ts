import type { Transaction } from '@gateway/sdk'

/** A transaction as an adapter hands it to the work; what is to follow its commit is kept until then. */
export class OpenTransaction implements Transaction {
  readonly now: Date
  readonly #following: (() => void)[] = []

  constructor(now: Date) {
    this.now = now
  }

  afterCommit(run: () => void): void {
    this.#following.push(run)
  }

  /** It is committed: do what waits for that. */
  committed(): void {
    for (const run of this.#following.splice(0)) run()
  }
}
