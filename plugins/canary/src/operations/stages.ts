import { type CallContext, Conflict, isToolError, type Resolved, syntheticTenant, tenantAdmin, toolbox } from '@gateway/sdk'
import type { Stage } from '../schema.ts'

export const CANARY_TENANT = syntheticTenant('canary')

export const walking = { tenants: tenantAdmin, toolbox }
type Refs = Resolved<typeof walking>

/** The queue is closed on purpose, which is not a fault. */
export class Closed extends Error {}

/** Actions of a member of the synthetic tenant, each a call on the call path; the result of a stage is passed to the next. */
export interface Walk {
  readonly stages: Readonly<Record<Stage, () => Promise<void>>>
  /** Removes the tasks of this run, and of killed runs. */
  clean(): Promise<void>
}

interface Task {
  readonly taskId: string
  readonly status: string
  readonly claimId?: string
}

const RUNNER = 'synthetic-canary'
const REPO = 'synthetic-canary'
/** More than killed runs can leave behind between two. */
const MAX_LEFT = 50

export function walk({ tenants, toolbox }: Refs, ctx: CallContext): Walk {
  let task: Task | undefined

  async function call<T>(tool: string, args: object): Promise<T> {
    const as = { id: RUNNER, role: 'member' } as const
    return (await toolbox.call(tool, args, { in: CANARY_TENANT, as, signal: ctx.signal })).result as T
  }

  function dispatched(): Task {
    if (!task) throw new Error('no task was dispatched')
    return task
  }

  return {
    stages: {
      /** A tenant is created once; each sign-up writes a new key, and the previous one ends at once. */
      async signup() {
        const tenant = { name: 'Synthetic canary', plan: 'free', tenantId: CANARY_TENANT, synthetic: true } as const
        await tenants.create(tenant).catch(ignoreExisting)
        await tenants.rotateKey(CANARY_TENANT, { role: 'member', environment: 'test', graceMinutes: 0 })
      },
      async dispatch() {
        task = (await call<{ task: Task }>('tasks_create', { repo: REPO, title: `Synthetic run of ${ctx.now().toISOString()}` })).task
      },
      async pickup() {
        const { taskId } = dispatched()
        const claim = await call<{ claimed: boolean; task?: Task; reason?: string }>('tasks_claim', {
          claimedBy: RUNNER,
          taskId,
          leaseSeconds: 300,
        })
        if (claim.task) task = claim.task
        else if (claim.reason !== undefined) throw new Closed(claim.reason)
        else throw new Error('the task was claimable and was not given out')
      },
      async ship() {
        const { taskId, claimId } = dispatched()
        for (const status of ['review', 'done']) {
          const { task } = await call<{ task: Task }>('tasks_update', { taskId, status, claimId })
          if (task.status !== status) throw new Error(`the task became ${task.status}; expected ${status}`)
        }
      },
    },
    async clean() {
      const { tasks } = await call<{ tasks: readonly Task[] }>('tasks_list', { limit: MAX_LEFT })
      for (const { taskId, status } of tasks) {
        // A working task cannot be removed.
        if (status === 'working') await call('tasks_update', { taskId, status: 'done' })
        await call('tasks_delete', { taskId, reason: 'synthetic' })
      }
    },
  }
}

function ignoreExisting(error: unknown): undefined {
  if (isToolError(error) && error.code === Conflict.code) return undefined
  throw error
}
