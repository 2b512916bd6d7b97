import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, storeAll } from './support.ts'

const DAY = 86_400

test('the growth of the memory counts what was stored on each of the last seven days', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'Long ago.' }])
  gateway.clock.advance(8 * DAY)
  await storeAll(gateway, [{ content: 'The keys are in the vault.' }, { content: 'Avatars are cached.', source: 'feature' }])
  gateway.clock.advance(DAY + 1)
  await storeAll(gateway, [{ content: 'Carts are seeded.' }])
  assert.deepEqual(await gateway.call('memory.growth'), { total: 4, added: 3, days: [0, 0, 0, 0, 0, 2, 1] })
})
