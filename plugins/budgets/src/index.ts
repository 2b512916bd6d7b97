import { definePlugin } from '@gateway/sdk'
import { lastRow, meters, reservations, spend, sums } from './collections.ts'
import { config } from './config.ts'
import { spendOfAgents } from './contributions/agent-activity.ts'
import { budgetStops } from './contributions/attention.ts'
import { dispatchGate } from './contributions/dispatch-budget.ts'
import { spendPanel } from './contributions/fleet-panel.ts'
import { guard } from './contributions/providers-spend-guard.ts'
import { ledger } from './contributions/providers-usage-ledger.ts'
import { retentionsByHand } from './contributions/retention-runs.ts'
import { chargeLostJob } from './jobs/charge-lost.ts'
import { meterRetention } from './jobs/meter-retention.ts'
import { rowRetention } from './jobs/row-retention.ts'
import { sumRetention } from './jobs/sum-retention.ts'
import { refused, spent } from './metrics.ts'
import { budgetNear, budgetReached } from './operations/news.ts'
import { budgetsPage } from './pages/budgets.ts'
import { overview } from './pages/overview.ts'
import { breakdownRoute } from './routes/breakdown.ts'
import { burnRoute } from './routes/burn.ts'
import { reportRoute } from './routes/report.ts'
import { statusRoute } from './routes/status.ts'
import { usageRoute } from './routes/usage.ts'
import { runningProvider } from './services/running.ts'
import { budgetsBreakdown } from './tools/budgets-breakdown.ts'
import { budgetsStatus } from './tools/budgets-status.ts'
import { budgetsSuggestions } from './tools/budgets-suggestions.ts'

/**
 * Costs of models and their caps. Life of a call's money:
 *
 * 1. Advised: from `downgradeAt` of a cap on, the call is sent to a cheaper tier.
 * 2. Reserved: its greatest price is held against the caps of month, day and channel, or it is refused with BUDGET_EXCEEDED.
 * 3. Settled: its cost becomes a row, and is added to the sums of its day and to the meters, in the same step that releases the
 *    reservation; the call's answer waits for that. Or released, if nothing was used.
 * 4. Recorded: the cost so far is kept with the reservation, ahead of the answer, and a running call renews its reservation.
 * 5. Lost: a call whose process died is charged with the recorded cost, marked as an estimate, after `reservationMinutes`.
 * 6. Removed after `keepDays`.
 */
export default definePlugin({
  id: 'budgets',
  sdk: '^1.0.0',
  description: 'Records model spend by caller and enforces caps.',
  config,
  collections: [spend, sums, meters, reservations, lastRow],
  events: [budgetNear, budgetReached],
  tools: [budgetsStatus, budgetsBreakdown, budgetsSuggestions],
  metrics: [spent, refused],
  routes: [statusRoute, breakdownRoute, usageRoute, burnRoute, reportRoute],
  provides: [runningProvider],
  contributes: [budgetStops, spendPanel, guard, dispatchGate, spendOfAgents, ledger, ...retentionsByHand],
  jobs: [chargeLostJob, rowRetention, sumRetention, meterRetention],
  pages: [budgetsPage],
  overview,
})
