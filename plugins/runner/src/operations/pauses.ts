import type { CommandOutput, ServiceClient } from '@gateway/sdk'

/** Age up to which slots that ask at about the same time share an answer. */
const FRESH_MS = 1_000

/** Reason why no work may go on now: maintenance, or a budget at its cap. */
export async function pauseReason(client: ServiceClient): Promise<string | undefined> {
  const { reason } = (await client.get('/api/tasks/next?repo=-')) as { reason?: string }
  if (reason !== undefined) return reason
  const budget = (await client.call('budgets_status').catch(() => ({}))) as { state?: string; reason?: string }
  return budget.state === 'exceeded' ? (budget.reason ?? 'A budget is at its cap.') : undefined
}

/** Pauses of all work, as the slots and runs of a runner see them. Each one is told once. */
export class Pauses {
  private readonly client: ServiceClient
  private readonly output: Pick<CommandOutput, 'complain'>
  private answer: Promise<string | undefined> = Promise.resolve(undefined)
  private askedAt = Number.NEGATIVE_INFINITY
  private told: string | undefined

  constructor(client: ServiceClient, output: Pick<CommandOutput, 'complain'>) {
    this.client = client
    this.output = output
  }

  /** The reason now; undefined also if nothing answers, since then nothing else works. */
  ask(): Promise<string | undefined> {
    this.askedAt = performance.now()
    this.answer = pauseReason(this.client).then(
      (reason) => this.tell(reason),
      () => undefined,
    )
    return this.answer
  }

  /** A run has ended, whose cost may be the last of a budget: an earlier answer counts no more. */
  expire(): void {
    this.askedAt = Number.NEGATIVE_INFINITY
  }

  /** The reason as of a moment ago, for a slot before it takes a task. */
  recent(): Promise<string | undefined> {
    return performance.now() - this.askedAt < FRESH_MS ? this.answer : this.ask()
  }

  private tell(reason: string | undefined): string | undefined {
    if (reason !== undefined && reason !== this.told) this.output.complain(`No task is taken: ${reason}`)
    this.told = reason
    return reason
  }
}
