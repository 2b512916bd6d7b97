import type { Call, Model } from '../checker.ts'

export interface TaskCall extends Call<TaskAnswer> {
  /** The task; for a claim that got none, and for one without an answer, the repo that it asked for. */
  readonly key: string
  readonly request:
    | { readonly op: 'create' }
    | { readonly op: 'claim' }
    | { readonly op: 'complete'; readonly claimId: string }
    | { readonly op: 'read' }
}
/** `ok: false` is a refusal: the claim is no longer valid. */
export type TaskAnswer = { readonly ok: true; readonly status?: string; readonly claimId?: string } | { readonly ok: false }

export interface TaskState {
  readonly status: 'none' | 'pending' | 'working' | 'done'
  /** Absent while unknown: the claim got no answer. */
  readonly claimId?: string
}

/** A task that is claimed once and never given back: its lease outlasts the history. */
export const taskModel: Model<TaskState, TaskCall> = {
  initial: { status: 'none' },
  onlyReads: ({ request, answer }) => request.op === 'read' || answer?.ok === false,
  execute(state, { request, answer }) {
    switch (request.op) {
      case 'create':
        return state.status === 'none' ? [{ status: 'pending' }] : []
      case 'claim':
        return state.status === 'pending' ? [{ status: 'working', ...claimOf(answer) }] : []
      case 'complete': {
        const isHeld = state.status === 'working' && state.claimId === request.claimId
        if (answer?.ok === false) return isHeld ? [] : [state]
        return isHeld || (state.status === 'working' && state.claimId === undefined) ? [{ status: 'done' }] : []
      }
      case 'read':
        return shows(state, answer) ? [state] : []
    }
  },
}

function claimOf(answer: TaskAnswer | undefined): Pick<TaskState, 'claimId'> {
  return answer?.ok && answer.claimId !== undefined ? { claimId: answer.claimId } : {}
}

function shows({ status, claimId }: TaskState, answer: TaskAnswer | undefined): boolean {
  if (answer === undefined) return true
  if (!answer.ok || answer.status !== status) return false
  return status !== 'working' || claimId === undefined || claimId === answer.claimId
}

/** A claim without an answer may have taken any task of its repo: it becomes part of the history of each. */
export function taskHistories(calls: readonly TaskCall[], repoOf: (taskId: string) => string | undefined): TaskCall[] {
  const lost = calls.filter(({ request, answer }) => request.op === 'claim' && answer === undefined)
  const own = calls.filter(({ key }) => repoOf(key) !== undefined)
  const spans = spansOf(own)
  const maybe = [...spans].flatMap(([taskId, { from, to }]) =>
    lost
      .filter((call) => call.key === repoOf(taskId) && call.invoked < to && (call.lost ?? to) > from)
      .map((call) => ({ ...call, key: taskId })),
  )
  return [...own, ...maybe]
}

/** Time in which a task may be taken: from its creation to the end of the claim that took it. */
function spansOf(calls: readonly TaskCall[]): Map<string, { from: number; to: number }> {
  const spans = new Map<string, { from: number; to: number }>()
  for (const { key, request, invoked } of calls)
    if (request.op === 'create') spans.set(key, { from: invoked, to: Number.POSITIVE_INFINITY })
  for (const { key, request, returned, answer } of calls) {
    const span = spans.get(key)
    if (request.op === 'claim' && answer?.ok && span) span.to = returned ?? span.to
  }
  return spans
}

/** Faults of claims that found nothing although a task waited all the while: created before, and taken by no claim until later. */
export function wrongEmptyClaims(calls: readonly TaskCall[], repoOf: (taskId: string) => string | undefined): string[] {
  const empty = calls.filter(({ request, answer }) => request.op === 'claim' && answer?.ok === false)
  const created = calls.filter(({ request, answer }) => request.op === 'create' && answer?.ok)
  const claims = calls.filter(({ request, answer }) => request.op === 'claim' && answer?.ok !== false)
  return empty.flatMap((claim) => {
    const end = claim.returned ?? Number.POSITIVE_INFINITY
    const left = created.find(({ key, returned = Number.POSITIVE_INFINITY }) => {
      if (repoOf(key) !== claim.key || returned >= claim.invoked) return false
      return !claims.some((other) => other.invoked < end && (other.key === key || other.key === claim.key))
    })
    return left ? [`a claim of ${claim.key} found nothing while ${left.key} waited: ${JSON.stringify(claim)}`] : []
  })
}
