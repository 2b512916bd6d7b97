import type { Transaction } from '@gateway/sdk'

/** A transaction as an adapter passes it to the work; actions to follow its commit are kept until then. */
export class OpenTransaction implements Transaction {
  readonly now: Date
  readonly #following: (() => void)[] = []

  constructor(now: Date) {
    this.now = now
  }

  afterCommit(run: () => void): void {
    this.#following.push(run)
  }

  /** Called after the commit: runs the pending actions. */
  committed(): void {
    for (const run of this.#following.splice(0)) run()
  }
}
