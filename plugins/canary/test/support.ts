import slo from '@gateway/plugin-slo'
import tasks from '@gateway/plugin-tasks'
import { type ClaimGate, claimGate, type TaskChange, taskChange } from '@gateway/plugin-tasks/api'
import trash from '@gateway/plugin-trash'
import { alertRaised, contribute, definePlugin, on } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

/** A gateway with whatever keeps a run from going through, and the alerts raised. */
export async function start(config: object = {}, env: Record<string, string> = {}) {
  const alerts: { level: string; title: string; message: string }[] = []
  let gate: ClaimGate['check'] = async () => ({ open: true })
  let apply: TaskChange['apply'] = async () => undefined
  const hands = definePlugin({
    id: 'hands',
    sdk: '^1.0.0',
    description: 'Closes gates and breaks things.',
    on: [on(alertRaised, { handle: async (alert) => void alerts.push(alert) })],
    contributes: [
      contribute(claimGate, { create: () => ({ check: () => gate() }) }),
      contribute(taskChange, { create: () => ({ apply: (...change) => apply(...change) }) }),
    ],
  })
  // Durations do not matter unless a test says so.
  const budgets = { signupBudgetMs: 600_000, dispatchBudgetMs: 600_000, pickupBudgetMs: 600_000, shipBudgetMs: 600_000 }
  const gateway = await startTestGateway({
    plugins: [trash, tasks, slo, plugin, hands],
    config: { canary: { ...budgets, ...config } },
    env,
  })
  return {
    gateway,
    alerts,
    closes: (reason: string | undefined) => void (gate = async () => (reason === undefined ? { open: true } : { open: false, reason })),
    breaks: (work: TaskChange['apply']) => void (apply = work),
    async run() {
      await gateway.runJob('canary.run')
      // Listeners run after the emitting turn.
      for (let i = 0; i < 5; i++) await new Promise(setImmediate)
      return gateway.call('canary_status')
    },
    [Symbol.asyncDispose]: () => gateway.stop(),
  }
}
