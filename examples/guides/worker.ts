import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export interface Gateway {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends a request; `fetch` unless something stands between. */
  readonly send?: typeof fetch
}
interface Refusal {
  readonly error?: string
  readonly code?: string
}

const ATTEMPTS = 8

/** Calls a tool. A call whose answer is lost is repeated with the same key, so it takes effect once. */
export async function call<Answer>({ url, headers, send = fetch }: Gateway, tool: string, args: object): Promise<Answer> {
  const key = randomUUID()
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await send(`${url}/api/tools/${tool}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
        body: JSON.stringify(args),
      })
      const body = (await response.json()) as Answer & Refusal
      if (response.ok) return body
      const isTemporary = response.status === 429 || response.status >= 500 || body.code === 'IDEMPOTENCY_IN_PROGRESS'
      // Returned, not thrown, so that the `catch` below does not repeat the call.
      if (!isTemporary) return Promise.reject(new Error(`${tool}: ${body.error} (${body.code})`))
      if (attempt === ATTEMPTS) throw new Error(`${tool}: ${body.error}`)
      await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000)
    } catch (lost) {
      if (attempt === ATTEMPTS) throw lost
      await pause(100 * 2 ** attempt)
    }
  }
}

export interface Task {
  readonly taskId: string
  readonly claimId: string
  readonly repo: string
  readonly title: string
  readonly description?: string
}
export interface Result {
  /** Report that is kept with the task. */
  readonly notes: string
  /** Text for the next worker in this repo. */
  readonly handoff?: string
  /** A fact to remember. */
  readonly memory?: string
}
/** Does a task; `context` is Markdown about its repo, and `extend` sets its lease to a number of seconds from now. */
export type Work = (task: Task, context: string | undefined, extend: (seconds: number) => Promise<object>) => Promise<Result>

/** Takes one task, does it and ends it. Resolves to false if none came within `waitSeconds`. */
export async function workOnce(gateway: Gateway, name: string, work: Work, waitSeconds = 50): Promise<boolean> {
  const { task, context } = await call<{ task?: Task; context?: string }>(gateway, 'work_next', { claimedBy: name, waitSeconds })
  if (task === undefined) return false
  const claim = { taskId: task.taskId, claimId: task.claimId }
  const extend = (leaseSeconds: number) => call<object>(gateway, 'tasks_update', { ...claim, leaseSeconds })
  const outcome = await work(task, context, extend).then(
    (result) => ({ outcome: 'done', ...result }),
    (error: unknown) => ({ outcome: 'failed', notes: String(error) }),
  )
  await call(gateway, 'work_done', { ...claim, ...outcome })
  return true
}

/** Works until it is told to stop; a task that has begun is finished first. */
export async function workLoop(gateway: Gateway, name: string, work: Work, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) await workOnce(gateway, name, work)
}
