import type { Clock } from '@gateway/kernel'
import { closed, defineCollection, type Infer, Type, type Update } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import { INTERNAL } from '../jsonrpc.ts'

/** Time that a client has to fetch the answer after a task has ended. */
const KEPT_MS = 24 * 3_600_000
const SUGGESTED_POLL_MS = 1_000

const schema = Type.Object(
  {
    taskId: Type.String(),
    /** Id of the principal that called; for anyone else in the tenant the task does not exist. */
    owner: Type.String(),
    status: Type.Enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: Type.Optional(Type.String()),
    createdAt: Type.String(),
    lastUpdatedAt: Type.String(),
    /** JSON, as clients receive them. */
    inputRequests: Type.Optional(Type.String()),
    result: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    /** Present until it has ended. */
    open: Type.Optional(Type.Boolean()),
    /** The node that works on it. */
    node: Type.Optional(Type.String()),
    /** Set when it ends. */
    expiresAt: Type.Optional(Type.String()),
  },
  closed,
)
export type TaskRecord = Infer<typeof schema>

/** Detached calls, in the tenant of the caller. */
export const taskRecords = defineCollection('gateway.mcp-tasks', {
  schema,
  key: 'taskId',
  indexes: [
    { keys: { open: 1 }, present: 'open' },
    { keys: { expiresAt: 1 }, present: 'expiresAt', expireAfterSeconds: 0 },
  ],
})

export type TaskEnd =
  | { readonly status: 'completed'; readonly result: string }
  | { readonly status: 'failed'; readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly status: 'cancelled'; readonly statusMessage: string }

export const RESTARTED: TaskEnd = {
  status: 'failed',
  error: { code: INTERNAL, message: 'The gateway was restarted before this task ended; call the tool again.' },
}

export function ended(end: TaskEnd, now: number): Update<TaskRecord> {
  const at = { lastUpdatedAt: new Date(now).toISOString(), expiresAt: new Date(now + KEPT_MS).toISOString() }
  const unset = ['open', 'inputRequests'] as const
  if (end.status !== 'failed') return { set: { ...end, ...at }, unset }
  const { code, message, data } = end.error
  return { set: { status: 'failed', statusMessage: message, error: JSON.stringify({ code, message, data }), ...at }, unset }
}

/** Closes tasks of dead nodes, which nobody works on any more. */
export async function endAbandonedTasks(store: Store, clock: Clock, alive: readonly string[]): Promise<void> {
  const left = { open: true, node: { nin: alive } }
  for (const tenantId of await store.tenants()) {
    const records = store.collection<TaskRecord>(taskRecords, tenantId)
    if ((await records.count(left, { max: 1 })) > 0) await records.updateMany(left, ended(RESTARTED, clock.now()))
  }
}

export function taskText({ taskId, status, statusMessage, createdAt, lastUpdatedAt, expiresAt, ...details }: TaskRecord): string {
  // A task that has not ended has no expiry.
  const ttlMs = expiresAt === undefined ? null : Date.parse(expiresAt) - Date.parse(createdAt)
  const members = JSON.stringify({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs: SUGGESTED_POLL_MS })
  const { inputRequests, result, error } = details
  return `${members.slice(0, -1)}${member('inputRequests', inputRequests)}${member('result', result)}${member('error', error)}}`
}

const member = (name: string, json: string | undefined): string => (json === undefined ? '' : `,"${name}":${json}`)
