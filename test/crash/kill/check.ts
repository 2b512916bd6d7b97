import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditedTenants } from '../../../kernel/audit/src/folder.ts'
import { verifyAudit } from '../../../kernel/audit/src/verify.ts'
import type { Promises, TaskState } from './promises.ts'
import type { Caller } from './worker.ts'

export async function readTasks(call: Caller, round: string): Promise<Map<string, TaskState>> {
  const found = new Map<string, TaskState>()
  let cursor: string | undefined
  do {
    const page = (await call('tasks_list', { repo: round, limit: 500, ...(cursor && { cursor }) })) as unknown as TaskPage
    for (const { taskId, ...task } of page.tasks) found.set(taskId, { ...task, retryCount: task.retryCount ?? 0 })
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}
interface TaskPage {
  readonly tasks: readonly (Omit<TaskState, 'retryCount'> & { readonly taskId: string; readonly retryCount?: number })[]
  readonly nextCursor?: string
}

/** Every answered change exists; any other change belongs to a request that got no answer, once each. */
export function brokenTasks(promises: Promises, found: ReadonlyMap<string, TaskState>, round: string): string[] {
  const broken: string[] = []
  const claimers = new Set(promises.claiming)
  /** A claim without an answer may have been executed: one task for each such claimer. */
  const claimedSince = (before: TaskState, now: TaskState): boolean =>
    before.status === 'pending' && now.status === 'working' && now.retryCount === before.retryCount && claimers.delete(now.claimedBy ?? '')

  for (const [taskId, { known, next }] of promises.tasks) {
    if (!known.title.startsWith(`${round} `)) continue
    const now = found.get(taskId)
    const allowed = next ? [known, next] : [known]
    if (!now) broken.push(`${taskId} is lost: ${show(known)}`)
    else if (!allowed.some((state) => show(state) === show(now) || claimedSince(state, now))) {
      broken.push(`${taskId} is ${show(now)}; promised was ${allowed.map(show).join(' or ')}`)
    }
  }
  for (const [taskId, now] of found) {
    if (promises.tasks.has(taskId)) continue
    const created: TaskState = { title: now.title, status: 'pending', retryCount: 0 }
    const asked = promises.creating.delete(now.title)
    if (!asked || !(show(created) === show(now) || claimedSince(created, now)))
      broken.push(`${taskId} is ${show(now)} and nobody asked for it`)
  }
  return broken
}

function show({ title, status, claimedBy, claimId, notes, retryCount }: TaskState): string {
  return JSON.stringify({ title, status, ...(status === 'working' && { claimedBy, claimId }), notes, retryCount })
}

/** Every answered message is in its inbox, complete; any other message there was sent without an answer. */
export async function brokenMail(promises: Promises, call: Caller, round: string): Promise<string[]> {
  const { messages } = (await call('mail_inbox', { to: round, limit: 200 })) as { messages: readonly Message[] }
  const found = new Map(messages.map(({ messageId, subject, body }) => [messageId, body === subject.repeat(8) ? subject : 'torn']))
  const sent = [...promises.mail].filter(([, subject]) => subject.startsWith(`${round} `))
  const lost = sent
    .filter(([messageId, subject]) => found.get(messageId) !== subject)
    .map(([messageId]) => `${messageId} is lost or changed`)
  const unasked = [...found].filter(([messageId, subject]) => !promises.mail.has(messageId) && !promises.sending.has(subject))
  return [...lost, ...unasked.map(([messageId]) => `${messageId}: nobody sent it`)]
}
interface Message {
  readonly messageId: string
  readonly subject: string
  readonly body: string
}

/** The chain is intact, and has a record of every answered write and of no call that was not made. */
export async function brokenAudit(dataDir: string, promises: Promises): Promise<string[]> {
  const dir = join(dataDir, 'audit')
  const broken: string[] = []
  for (const tenant of await auditedTenants(dir))
    await verifyAudit(dir, tenant, (fault) => broken.push(`${fault.file}:${fault.line} ${fault.message}`))
  const recorded = recordedCalls(join(dir, 'local'))
  for (const tool of ['tasks_create', 'tasks_claim', 'tasks_update', 'tasks_fail', 'mail_send']) {
    const [answered, unanswered, seen] = [promises.answered, promises.unanswered, recorded].map((counts) => counts.get(tool) ?? 0) as [
      number,
      number,
      number,
    ]
    if (seen < answered || seen > answered + unanswered)
      broken.push(`${tool}: ${answered} answered, ${unanswered} not, ${seen} in the trail`)
  }
  return broken
}

function recordedCalls(folder: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const day of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(folder, day), 'utf8').split('\n')) {
      if (line === '') continue
      const { name, tool } = JSON.parse(line) as { name: string; tool: string }
      if (name === 'tool.call') counts.set(tool, (counts.get(tool) ?? 0) + 1)
    }
  }
  return counts
}
