import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { type CallContext, cutText, defined, isToolError, type Resolved, toolbox } from '@gateway/sdk'
import { type Marked, markerOf, OPS } from '../rules/marker.ts'
import { claimOf, LEASE_SECONDS, whileHeld } from './held-claim.ts'
import { quotaUses, remaining, takeOne } from './quota.ts'

export const inlineUses = { ...quotaUses, queue: taskQueue, toolbox }
type Refs = Resolved<typeof inlineUses>

/** Tasks with an inline marker are assigned to this agent, so that they are found without reading others. */
const INLINE_AGENT = 'inline'
/** Number of tasks that a call reads: some may have to wait for a family that is switched off. */
const LOOK = 200
const MAX_NOTE = 4_000

interface Ran {
  readonly taskId: string
  readonly op: string
  readonly outcome: 'done' | 'failed' | 'skipped'
  /** Reason why it failed, or was left in the queue. */
  readonly error?: string
}

/** Runs the marked tasks that are ready, in order, each as one claimed and ended task. */
export async function runInline(refs: Refs, wanted: { maxTasks: number; repo: string | undefined }, ctx: CallContext) {
  const { maxTasks } = wanted
  // Checked before the quota is used: while claims are paused, each task would use its share and stay in the queue.
  const reason = await refs.queue.closed()
  if (reason !== undefined) return { results: [], remainingQuota: await remaining(refs, ctx), reason }
  const repo = wanted.repo === undefined ? undefined : await refs.queue.repoName(wanted.repo)
  const ready = await refs.queue.ready({ assignedAgent: INLINE_AGENT, limit: LOOK, ...defined({ repo }) })
  const results: Ran[] = []
  let ran = 0
  for (const task of ready) {
    if (ran === maxTasks || ctx.signal.aborted) break
    const marked = markerOf(task.title, task.description)
    const missing = wanting(refs, marked)
    if (missing !== undefined) {
      results.push({ taskId: task.taskId, op: opOf(marked), outcome: 'skipped', error: missing })
      continue
    }
    if (!(await takeOne(refs, ctx))) break
    const result = await runOne(refs, task, marked)
    ran++
    if (result) results.push(result)
  }
  return { results, remainingQuota: await remaining(refs, ctx) }
}

const opOf = (marked: Marked): string => ('op' in marked ? marked.op : 'unknown')

/** Such a task stays in the queue: the family may be switched on, or a caller with more rights may come. */
function wanting({ toolbox }: Refs, marked: Marked): string | undefined {
  if (!('op' in marked)) return undefined
  const { tool, family } = OPS[marked.op]
  return toolbox.get(tool)
    ? undefined
    : `${marked.op} needs the tool ${tool} of the family ${family}, which is not running or not open to your role.`
}

/** Uses the same tools as any worker, as the caller; `undefined` if another caller has claimed it. */
async function runOne({ toolbox }: Refs, { taskId }: Task, marked: Marked): Promise<Ran | undefined> {
  const claimed = await toolbox.call('tasks_claim', { taskId, claimedBy: INLINE_AGENT, leaseSeconds: LEASE_SECONDS })
  const { claimed: mine, task } = claimed.result as { claimed: boolean; task?: Task }
  if (!mine || !task) return undefined
  const op = opOf(marked)
  const claim = claimOf(task)
  const ran =
    'fault' in marked ? { error: marked.fault } : await whileHeld(toolbox, task, () => tried(toolbox, OPS[marked.op].tool, marked.args))
  const ended =
    'error' in ran
      ? await tried(toolbox, 'tasks_fail', { ...claim, error: ran.error })
      : await tried(toolbox, 'tasks_update', { ...claim, status: 'done', notes: cutText(JSON.stringify(ran.result), MAX_NOTE) })
  if ('error' in ran) return { taskId, op, outcome: 'failed', error: ran.error }
  // An op may take longer than the lease: its task is then in the queue again, and the other tasks must not suffer for it.
  return 'error' in ended ? { taskId, op, outcome: 'failed', error: ended.error } : { taskId, op, outcome: 'done' }
}

async function tried(tools: Refs['toolbox'], tool: string, args: object): Promise<{ result: object } | { error: string }> {
  try {
    return { result: (await tools.call(tool, args)).result }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { error: error.message }
  }
}
