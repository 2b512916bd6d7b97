import { faults } from '../../linearizable/checker.ts'
import { type BudgetAnswer, type BudgetCall, budgetModel } from '../../linearizable/models/budgets.ts'
import type { Caller, Family } from './caller.ts'

const SWARMS = 3
const CHILDREN = 4
const BUDGET = 200

interface Swarm {
  readonly swarmId: string
  readonly taskIds: readonly string[]
}
interface SwarmReply {
  readonly swarm: { readonly swarmId: string; readonly tokensSpent: number; readonly status: string }
  readonly children: readonly { readonly taskId: string }[]
}

/** Swarms with a budget of tokens, which their children spend at any gateway. */
export function budgetHistory(): Family {
  const calls: BudgetCall[] = []
  const swarms: Swarm[] = []

  async function plan(caller: Caller): Promise<Swarm> {
    const children = Array.from({ length: CHILDREN }, (_, n) => ({ title: `child ${n}` }))
    const call = async (tool: string, args: object): Promise<SwarmReply> => {
      const { status, json } = await caller.insist(() => caller.tool(tool, args))
      if (status !== 200) throw new Error(`${tool} was answered ${status} ${JSON.stringify(json)}`)
      return json as unknown as SwarmReply
    }
    const planned = await call('swarm_plan', { repo: 'swarm', goal: 'Spend', createdBy: 'director', children })
    const { swarmId } = planned.swarm
    await call('swarm_approve', { swarmId, approvedBy: 'operator' })
    await call('swarm_update_budget', { swarmId, tokenBudget: BUDGET })
    return { swarmId, taskIds: planned.children.map(({ taskId }) => taskId) }
  }

  return {
    async prepare(caller) {
      for (let n = 0; n < SWARMS; n++) swarms.push(await plan(caller))
    },
    async step(_worker, caller) {
      const { swarmId: key, taskIds } = caller.pick(swarms)
      if (caller.random() < 0.6) {
        const tokens = 1 + Math.floor(caller.random() * 3)
        await caller.record<BudgetCall, BudgetAnswer>(
          calls,
          { key, request: { op: 'spend', tokens } },
          () => caller.tool('tasks_update', { taskId: caller.pick(taskIds), outputTokens: tokens }),
          ({ status }) => (status === 200 ? {} : undefined),
        )
        return
      }
      await caller.record<BudgetCall, BudgetAnswer>(
        calls,
        { key, request: { op: 'read' } },
        () => caller.tool('swarm_get', { swarmId: key }),
        ({ status, json }) => {
          if (status !== 200) return undefined
          const { swarm } = json as unknown as SwarmReply
          return { spent: swarm.tokensSpent, isPaused: swarm.status === 'paused' }
        },
      )
    },
    faults: () => faults(budgetModel(BUDGET), calls),
    events: () => ({ 'tokens reported': calls.filter(({ request, answer }) => request.op === 'spend' && answer).length }),
  }
}
