import { definePlugin } from '@gateway/sdk'
import { planDays } from './collections.ts'
import { config } from './config.ts'
import { planAtBoot } from './contributions/context-part.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { daysFollowTasks } from './contributions/tasks-change.ts'
import { trashedPlans } from './contributions/trash-kind.ts'
import { fireDays } from './jobs/fire.ts'
import { retention } from './jobs/retention.ts'
import { plansPage } from './pages/plans.ts'
import { planResource } from './resources/plan.ts'
import { planDelete } from './tools/plan-delete.ts'
import { planList } from './tools/plan-list.ts'
import { planRestore } from './tools/plan-restore.ts'
import { planSet } from './tools/plan-set.ts'

/**
 * Work plans by day: topics for an agent in a repo, with a time for each. One plan per repo, one day per number. Life of a day:
 *
 * 1. planned: enabled, with the time it fires at;
 * 2. fired: it became a task of source scheduler, whose sourceId is the id of the day;
 * 3. done: its task is done;
 * 4. removed: some time after it was over.
 */
export default definePlugin({
  id: 'plans',
  sdk: '^1.0.0',
  description: 'Work plans by day, one for each repo, that fire outside Sydney’s working hours.',
  config,
  collections: [planDays],
  tools: [planList, planSet, planDelete, planRestore],
  jobs: [fireDays, retention],
  contributes: [planAtBoot, daysFollowTasks, retentionByHand, trashedPlans],
  resources: [planResource],
  pages: [plansPage],
})
