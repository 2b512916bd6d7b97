import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commit, DAY, start } from './support.ts'

test('the growth of the brain counts the atoms of each of the last seven days', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('brain.growth'), { total: 0, added: 0, days: [0, 0, 0, 0, 0, 0, 0] })
  await commit(gateway, { slug: 'old' })
  gateway.clock.advance(8 * DAY)
  await commit(gateway, { slug: 'gate' })
  await commit(gateway, { kind: 'memory', slug: 'fence' })
  gateway.clock.advance(1)
  assert.deepEqual(await gateway.call('brain.growth'), { total: 3, added: 2, days: [0, 0, 0, 0, 0, 0, 2] })
})
