import { closed, type Infer, Type } from '@gateway/sdk'
import { MAX_NOTES_LENGTH, type Task } from '../schema.ts'
import type { Plain } from './stage.ts'
import { moved } from './state.ts'

/** All but working. */
const AT_REST = ['pending', 'review', 'done', 'blocked', 'paused', 'dead_letter'] as const

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** Members of a task that a move changes beside its status. An absent member was absent. */
export const TaskBefore = Type.Object(
  {
    status: Type.Enum(AT_REST),
    retryCount: Type.Integer({ minimum: 0 }),
    lastError: text(20_000),
    notes: text(MAX_NOTES_LENGTH),
    nextRetryAt: text(40),
    startedAt: text(40),
    completedAt: text(40),
  },
  { ...closed, description: 'Members of the task before the move; an absent one was absent.' },
)
export type TaskBefore = Infer<typeof TaskBefore>

const MEMBERS = ['lastError', 'notes', 'nextRetryAt', 'startedAt', 'completedAt'] as const

/** Returns `undefined` for a task at work: its claim ended with the move, and work goes on with a claim alone. */
export function beforeMove({ status, retryCount, ...task }: Task): TaskBefore | undefined {
  if (status === 'working') return undefined
  const members = MEMBERS.flatMap((name) => (task[name] === undefined ? [] : [[name, task[name]] as const]))
  return { status, retryCount, ...Object.fromEntries(members) }
}

/** The task as it was before a move. A claim that ended stays ended. */
export function putBack(task: Task, before: TaskBefore, now: Date): Plain {
  const next: Plain = { ...moved(task, before.status, now), retryCount: before.retryCount }
  for (const name of MEMBERS) {
    const value = before[name]
    if (value === undefined) delete next[name]
    else next[name] = value
  }
  if (next.routeExhausted === false) delete next.routeExhausted
  return next
}
