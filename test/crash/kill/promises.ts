/** The known state of a task, which must be found after a restart. */
export interface TaskState {
  readonly title: string
  readonly status: string
  readonly claimedBy?: string
  readonly claimId?: string
  readonly notes?: string
  readonly retryCount: number
}

interface Expected {
  /** State as of the last answer. */
  known: TaskState
  /** State that a pending request would produce. */
  next?: TaskState
}

/**
 * The promises the gateway made by answering, and the possible effects of requests it never answered. A task is
 * changed by its holder only, so its answered states follow one another; only creation and claim race.
 */
export class Promises {
  readonly tasks = new Map<string, Expected>()
  readonly mail = new Map<string, string>()
  /** Titles of tasks and subjects of messages whose request is pending. */
  readonly creating = new Set<string>()
  readonly sending = new Set<string>()
  /** Workers with a pending claim. */
  readonly claiming = new Set<string>()
  /** Answered calls by tool, over the life of a data folder; and those that were never answered. */
  readonly answered = new Map<string, number>()
  readonly unanswered = new Map<string, number>()
  /** Broken promises detected while the gateway ran. */
  readonly broken: string[] = []
  readonly #claimIds = new Set<string>()

  created(taskId: string, title: string): void {
    // A claim of it may have been answered first.
    if (!this.tasks.has(taskId)) this.tasks.set(taskId, { known: { title, status: 'pending', retryCount: 0 } })
  }

  claimed(taskId: string, state: TaskState): void {
    const before = this.tasks.get(taskId)
    const free = before === undefined || before.known.status === 'pending' || before.next?.status === 'pending'
    if (!free) this.broken.push(`${taskId} was given to ${state.claimedBy} while ${before.known.claimedBy} held it`)
    if (!state.claimId || this.#claimIds.has(state.claimId)) this.broken.push(`${taskId}: the claimId ${state.claimId} was given twice`)
    this.#claimIds.add(state.claimId ?? '')
    this.tasks.set(taskId, { known: state })
  }

  /** The holder has requested this change and waits for the answer. */
  asked(taskId: string, next: TaskState): void {
    const task = this.tasks.get(taskId)
    if (task) task.next = next
  }

  /** Ignored if another has claimed it since: then this answer is outdated. */
  changed(taskId: string, next: TaskState): void {
    const task = this.tasks.get(taskId)
    if (task?.next === next) this.tasks.set(taskId, { known: next })
  }

  /** Starts again from the state found after a restart. */
  settle(found: ReadonlyMap<string, TaskState>): void {
    for (const [taskId, state] of found) this.tasks.set(taskId, { known: state })
    for (const pending of [this.creating, this.sending, this.claiming]) pending.clear()
  }
}
