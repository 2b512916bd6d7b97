import { faults } from '../../linearizable/checker.ts'
import { type TaskAnswer, type TaskCall, taskHistories, taskModel, wrongEmptyClaims } from '../../linearizable/models/tasks.ts'
import { type Caller, type Family, type Reply, time, type Unanswered } from './caller.ts'

const REPOS = ['web', 'api', 'docs', 'infra']

interface Task {
  readonly taskId: string
  readonly status: string
  readonly claimId?: string
}

/** Tasks: created, claimed by any worker, completed by the claim, and read at any gateway. */
export function taskHistory(): Family {
  const calls: TaskCall[] = []
  const repos = new Map<string, string>()
  const ids: string[] = []
  let created = 0

  async function step(worker: number, caller: Caller): Promise<void> {
    const luck = caller.random()
    if (luck < 0.35) await create(caller)
    else if (luck < 0.7) await work(worker, caller)
    else if (ids.length > 0) await read(caller.pick(ids.slice(-20)), caller)
  }

  /** Repeated with its key until it is answered, so that the id of the task is known. */
  async function create(caller: Caller): Promise<void> {
    const repo = caller.pick(REPOS)
    const key = { 'idempotency-key': `history-create-${created++}` }
    const invoked = time()
    const { taskId } = await answered(caller, () => caller.tool('tasks_create', { repo, title: 'to do' }, key))
    repos.set(taskId, repo)
    calls.push({ key: taskId, request: { op: 'create' }, invoked, returned: time(), answer: { ok: true } })
    ids.push(taskId)
  }

  async function work(worker: number, caller: Caller): Promise<void> {
    const repo = caller.pick(REPOS)
    let task: Task | undefined
    const claims: TaskCall[] = []
    await caller.record<TaskCall, TaskAnswer>(
      claims,
      { key: repo, request: { op: 'claim' } },
      () => caller.tool('tasks_claim', { repo, claimedBy: `worker-${worker}`, leaseSeconds: 86_400 }),
      ({ status, json }) => {
        if (status !== 200) return undefined
        task = json.task as Task | undefined
        return task ? { ok: true, ...claimIdOf(task) } : { ok: false }
      },
    )
    for (const claim of claims) calls.push({ ...claim, key: task?.taskId ?? repo })
    if (!task?.claimId || caller.random() < 0.2) return
    const { taskId, claimId } = task
    await caller.record<TaskCall, TaskAnswer>(
      calls,
      { key: taskId, request: { op: 'complete', claimId } },
      () => caller.tool('tasks_update', { taskId, claimId, status: 'done' }),
      ({ status }) => ({ 200: { ok: true as const }, 409: { ok: false as const } })[status],
    )
  }

  async function read(taskId: string, caller: Caller): Promise<void> {
    await caller.record<TaskCall, TaskAnswer>(
      calls,
      { key: taskId, request: { op: 'read' } },
      () => caller.get(`/api/tasks/${taskId}`),
      ({ status, json }) => (status === 200 ? shown(json.task as Task) : undefined),
    )
  }

  const repoOf = (taskId: string): string | undefined => repos.get(taskId)
  const count = (op: string, ok: boolean) => calls.filter(({ request, answer }) => request.op === op && answer?.ok === ok).length
  return {
    step,
    faults: () => [...wrongEmptyClaims(calls, repoOf), ...faults(taskModel, taskHistories(calls, repoOf))],
    events: () => ({
      'tasks created': count('create', true),
      'tasks claimed': count('claim', true),
      'tasks done': count('complete', true),
    }),
  }
}

const claimIdOf = ({ claimId }: Task) => (claimId === undefined ? {} : { claimId })
const shown = (task: Task): TaskAnswer => ({ ok: true, status: task.status, ...claimIdOf(task) })

async function answered(caller: Caller, send: () => Promise<Reply | Unanswered>): Promise<Task> {
  for (;;) {
    const { status, json } = await caller.insist(send)
    if (status === 200) return json.task as Task
    if (json.code !== 'IDEMPOTENCY_IN_PROGRESS') throw new Error(`tasks_create was answered ${status} ${JSON.stringify(json)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
