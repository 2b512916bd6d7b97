import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { effectsBeyondCommit } from '@gateway/storage'

/** Calls of models and of tools by name, and tools that run a job of the gateway. */
const RESERVED = [
  'agents_invoke',
  'cancellation_purge_sweep',
  'data_retention_purge',
  'erasure_sweep',
  'evening_sweep',
  'gift-codes.redeem',
  'health_alerts_run',
  'morning_sweep',
  'recurring_tasks_sweep',
  'schedules_run_now',
  'skills_invoke',
  'task_lease_reap',
  'tools_call_destructive',
  'tools_call_write',
]

test('in the standard distribution, few tools reserve their key before they run; all others store it in the commit of their write', () => {
  const isBeyond = effectsBeyondCommit(standardPlugins)
  const writes = standardPlugins.flatMap(({ tools, routes }) => [...tools, ...routes]).filter(({ effect }) => effect !== 'read')
  assert.deepEqual(
    writes
      .filter((one) => isBeyond(one))
      .map(({ name }) => name)
      .sort(),
    RESERVED,
  )
})
