import { readTasks } from '../kill/check.ts'
import type { Caller } from '../kill/worker.ts'
import type { Orders } from './orders.ts'

interface Whole {
  readonly swarm: { readonly swarmId: string; readonly status: string; readonly childCount: number }
  readonly children: readonly { readonly taskId: string; readonly status: string; readonly dependsOn: readonly string[] }[]
}
type Tasks = ReadonlyMap<
  string,
  { readonly swarmId?: string; readonly sourceId?: string; readonly claimedBy?: string; readonly waitingOn?: number }
>

/** Every existing swarm is complete, every answered one exists, and no child is without its swarm. */
export async function brokenSwarms(call: Caller, { round, planned }: Orders): Promise<string[]> {
  const broken: string[] = []
  const { swarms } = (await call('swarm_list', { repo: round, limit: 200 })) as unknown as {
    swarms: readonly { readonly swarmId: string }[]
  }
  const tasks = (await readTasks(call, round)) as unknown as Tasks
  const known = new Set<string>()
  for (const { swarmId } of swarms) {
    const { swarm, children } = (await call('swarm_get', { swarmId })) as unknown as Whole
    known.add(swarmId)
    const count = planned.get(swarmId) ?? swarm.childCount
    if (swarm.status !== 'paused' || children.length !== count)
      broken.push(`${swarmId} is ${swarm.status} with ${children.length} of ${count} children`)
    for (const [at, { taskId, status, dependsOn }] of children.entries()) {
      const earlier = children.slice(0, at).map((child) => child.taskId)
      const waitingOn = tasks.get(taskId)?.waitingOn ?? 0
      if (status !== 'paused' || waitingOn !== at || dependsOn.join() !== earlier.join()) {
        broken.push(`${taskId}, child ${at} of ${swarmId}, is ${status} and waits for ${waitingOn} of ${dependsOn.join()}`)
      }
    }
  }
  for (const swarmId of planned.keys()) if (!known.has(swarmId)) broken.push(`${swarmId} is lost`)
  for (const [taskId, { swarmId }] of tasks)
    if (swarmId !== undefined && !known.has(swarmId)) broken.push(`${taskId} has no swarm ${swarmId}`)
  return broken
}

/** A request waits unacked and has no task, or is acked and has exactly one, held by the caller that acked it. */
export async function brokenRequests(call: Caller, orders: Orders): Promise<string[]> {
  const broken = [...orders.broken]
  const { messages } = (await call('mail_inbox', { to: orders.round, includeAcked: true, limit: 200 })) as unknown as {
    messages: readonly { messageId: string; subject: string; acked: boolean; ackedBy?: string }[]
  }
  const tasks = (await readTasks(call, orders.round)) as unknown as Tasks
  for (const { messageId, subject, acked, ackedBy } of messages) {
    const made = [...tasks].filter(([, task]) => task.sourceId === messageId)
    const [[taskId, task] = []] = made
    if (!orders.sent.has(subject)) broken.push(`${messageId}: nobody sent it`)
    if (made.length !== (acked ? 1 : 0)) broken.push(`${messageId} is ${acked ? '' : 'not '}acked and has ${made.length} tasks`)
    if (task && task.claimedBy !== ackedBy) broken.push(`${taskId} is held by ${task.claimedBy}, its mail acked by ${ackedBy}`)
    const promised = orders.taken.get(messageId)
    if (promised !== undefined && promised !== taskId) broken.push(`${messageId} was answered as ${promised} and is ${taskId}`)
  }
  const found = new Set(messages.map(({ messageId }) => messageId))
  for (const messageId of orders.stored.values()) if (!found.has(messageId)) broken.push(`${messageId} is lost`)
  return broken
}
