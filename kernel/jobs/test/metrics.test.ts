import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineJob, definePlugin } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { Metrics } from '../../metrics/src/metrics.ts'
import { KERNEL_TENANT } from '../../storage/src/kernel-tenant.ts'
import { subject } from '../../storage/test/subject.ts'
import { type JobRecord, jobRecords } from '../src/job-record.ts'
import { measureLateness } from '../src/metrics.ts'

test('only declared jobs that are switched on can be late: the record of a removed plugin raises no alert', async (t) => {
  const clock = testClock()
  const { store, dispose } = await subject({ clock })
  t.after(dispose)
  await store.prepare([jobRecords])
  const records = store.collection<JobRecord>(jobRecords, KERNEL_TENANT)
  const add = (name: string, more: Partial<JobRecord> = {}) =>
    records.insert({
      id: `every:${name}`,
      name,
      type: 'single',
      priority: 0,
      lock: 0,
      nextRunAt: new Date(clock.now()).toISOString(),
      ...more,
    })
  const job = defineJob('shelves.tidy', { everySeconds: 60, run: async () => {} })
  const plugin = definePlugin({ id: 'shelves', sdk: '^1.0.0', description: 'Tidies shelves.', jobs: [job] })
  const metrics = new Metrics({ refs: [], tenantLabel: false, now: () => clock.now(), warn() {} })
  measureLateness({ metrics, store, plugins: [plugin] } as unknown as Parameters<typeof measureLateness>[0])
  const measured = async () => {
    const found = (await metrics.snapshot()).filter(({ name }) => name.startsWith('gateway.jobs.'))
    return found.map(({ series }) => series[0]?.value)
  }
  await add('removed.job')
  await add('shelves.tidy', { disabled: true })
  clock.advance(3_600)
  assert.deepEqual(await measured(), [0, 0])
  await records.updateOne('every:shelves.tidy', { unset: ['disabled'] })
  assert.deepEqual(await measured(), [1, 3_600])
})
