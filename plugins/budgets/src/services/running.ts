import { defineService, provideProcess } from '@gateway/sdk'
import { CostsByMeter, type RunningCosts } from '../rules/running-costs.ts'

/** Costs of running calls, of all tenants: meters are named after their tenant. Each node knows its own calls. */
export const running = defineService<RunningCosts>('budgets.running', 'process')

export const runningProvider = provideProcess(running, {
  create: () => ({ costs: new CostsByMeter(), recorded: new CostsByMeter() }),
})
