import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import tidy from '../tidy.ts'

test('the job removes what is old, in each tenant', async () => {
  await using gateway = await startTestGateway({ plugins: [tidy] })
  for (const tenantId of ['local', 'acme']) await gateway.call('tidy_visit', {}, { as: { tenantId } })
  gateway.clock.advance(2 * 3600)
  await gateway.call('tidy_visit')
  await gateway.runJob('tidy.sweep')
  assert.equal((await gateway.documents('local'))['tidy.visits']?.length, 1)
  assert.equal((await gateway.documents('acme'))['tidy.visits']?.length, 0)
})

test('the tool runs the same job, and removes nothing twice', async () => {
  await using gateway = await startTestGateway({ plugins: [tidy] })
  await gateway.call('tidy_visit')
  gateway.clock.advance(2 * 3600)
  assert.deepEqual(await gateway.call('tidy_sweep'), { removed: 1 })
  assert.deepEqual(await gateway.call('tidy_sweep'), { removed: 0 })
})
