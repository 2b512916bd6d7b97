import type { SoakClient } from './client.ts'
import { lostTexts } from './kept.ts'
import type { SoakTenant } from './tenant.ts'

export interface Findings {
  /** Records that a tenant was told are kept, and that are gone or in an earlier state. */
  readonly lost: readonly string[]
  /** Tasks that are still worked on although their lease has ended. */
  readonly stuck: readonly string[]
}

interface Task {
  readonly taskId: string
  readonly status: string
  readonly leaseUntil?: string
}

/** Compares all that the tenants were told with what the gateway has at the end. `nowMs` is the gateway's time. */
export async function audit(client: SoakClient, tenants: readonly SoakTenant[], nowMs: number): Promise<Findings> {
  const lost: string[] = []
  const stuck: string[] = []
  for (const tenant of tenants) {
    const found = new Map((await all<Task>(client, tenant, 'tasks_list', 'tasks', { limit: 100 })).map((task) => [task.taskId, task]))
    for (const [taskId, state] of tenant.ledger.tasks) {
      const task = found.get(taskId)
      if (!task) lost.push(`task ${taskId} of ${tenant.tenantId}`)
      else if (state === 'done' && task.status !== 'done')
        lost.push(`the end of task ${taskId} of ${tenant.tenantId}, which is ${task.status}`)
    }
    for (const { taskId, status, leaseUntil } of found.values())
      if (status === 'working' && leaseUntil !== undefined && Date.parse(leaseUntil) < nowMs - REAPED_WITHIN_MS)
        stuck.push(`task ${taskId} of ${tenant.tenantId}, whose lease ended ${leaseUntil}`)
    lost.push(...(await lostMail(client, tenant)), ...(await lostTexts(client, tenant)))
  }
  return { lost, stuck }
}

/** Leases are looked through every minute of real time, which is longer on the gateway's clock. */
const REAPED_WITHIN_MS = 2 * 3_600_000
const MAX_INBOX = 200

/** Mail is compared where one answer holds the whole inbox. */
async function lostMail(client: SoakClient, tenant: SoakTenant): Promise<string[]> {
  const args = { to: `box-${tenant.tenantId}`, includeAcked: true, limit: MAX_INBOX }
  const messages = ((await client.call(tenant, 'mailbox', 'mail_inbox', args))?.messages ?? []) as { messageId: string }[]
  if (messages.length >= MAX_INBOX) return []
  const found = new Set(messages.map(({ messageId }) => messageId))
  return [...tenant.ledger.messages].filter((id) => !found.has(id)).map((id) => `message ${id} of ${tenant.tenantId}`)
}

async function all<T>(client: SoakClient, tenant: SoakTenant, tool: string, member: string, args: object): Promise<T[]> {
  const rows: T[] = []
  let cursor: unknown
  do {
    const page = await client.call(tenant, 'audit of the soak', tool, { ...args, ...(cursor !== undefined && { cursor }) })
    rows.push(...((page?.[member] ?? []) as T[]))
    cursor = page?.nextCursor
  } while (cursor !== undefined)
  return rows
}
