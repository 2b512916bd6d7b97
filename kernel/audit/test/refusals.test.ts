import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '@gateway/testing'
import { openAuditFiles } from '../src/files.ts'
import { CountedRefusals } from '../src/refusals.ts'
import { auditDir, entry } from './audit-fixture.ts'

test('refusals of a kind are written once a minute, with their number, also after the clock was set back', async (t) => {
  const clock = testClock()
  const trail = openAuditFiles({ dir: await auditDir(t) })
  const refusals = new CountedRefusals(trail, clock, (error) => assert.fail(String(error)))
  const refused = (): boolean => refusals.isFirst('kind', 'local', () => entry('repeated'))
  assert.deepEqual([refused(), refused(), refused()], [true, false, false])
  clock.advance(60)
  assert.deepEqual([refused(), refused()], [true, false])
  clock.advance(-3_600)
  assert.equal(refused(), true)
  await refusals.close()
  await trail.close()
  const { records } = await trail.search('local', { limit: 10 })
  assert.deepEqual(
    records.map(({ details }) => (details as { times: number }).times),
    [1, 2],
  )
})
