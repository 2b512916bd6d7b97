import assert from 'node:assert/strict'
import { test } from 'node:test'
import fleet from '@gateway/plugin-fleet'
import runners from '@gateway/plugin-runners'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import plugin from '../src/index.ts'
import { hour, start, type TestGateway } from './support.ts'

const plugins = [trash, tasks, fleet, runners, plugin]
const reading = (more: object) => ({ account: 'max-1', source: 'statusline', at: hour(0), ...more })
const acquire = (gateway: TestGateway, holder: string, account?: string) =>
  gateway.call('runner_lease_acquire', { holder, slots: 3, ...(account !== undefined && { account }) })

test('a session whose account has used up a window gets no slot, with the time of the reset; others do', async () => {
  await using gateway = await start({ plugins })
  const used = reading({ fiveHourPct: 100, fiveHourResetsAt: hour(3), sevenDayPct: 40, sevenDayResetsAt: hour(90) })
  await gateway.call('account_usage_record', { readings: [used] })
  const refused = await acquire(gateway, 'm1/a', 'max-1')
  assert.deepEqual([refused.acquired, refused.lease, refused.retryAt], [false, undefined, hour(3)])
  assert.match(refused.reason, /max-1 has used up its quota until .*use another account/)
  assert.equal((await acquire(gateway, 'm1/a', 'max-2')).acquired, true)
  assert.equal((await acquire(gateway, 'm1/b')).acquired, true)
  gateway.clock.set(hour(4))
  assert.equal((await acquire(gateway, 'm1/c', 'max-1')).acquired, true)
})

test('a session keeps the slot that it holds when its account runs out', async () => {
  await using gateway = await start({ plugins })
  const { lease } = await acquire(gateway, 'm1/a', 'max-1')
  await gateway.call('account_usage_record', { readings: [reading({ sevenDayPct: 100, sevenDayResetsAt: hour(90) })] })
  const again = await acquire(gateway, 'm1/a', 'max-1')
  assert.deepEqual([again.acquired, again.lease.slot], [true, lease.slot])
  assert.equal((await acquire(gateway, 'm1/b', 'max-1')).acquired, false)
})
