import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { held, history, release, start, type TestGateway } from './support.ts'

async function session(gateway: TestGateway, holder: string, args: object = {}): Promise<void> {
  await release(gateway, await held(gateway, holder, args))
}
const holders = async (gateway: TestGateway, args: object = {}) => (await history(gateway, args)).map(({ holder }) => holder)

test('the latest comes first, also within one millisecond', async () => {
  await using gateway = await start()
  for (const holder of ['ada', 'bob', 'cyd']) await session(gateway, holder)
  gateway.clock.advance(1)
  await session(gateway, 'dan')
  assert.deepEqual(await holders(gateway), ['dan', 'cyd', 'bob', 'ada'])
})

test('it can be asked for one account, one slot, or both', async () => {
  await using gateway = await start()
  const keeper = await held(gateway, 'keeper')
  await session(gateway, 'ada', { account: 'acc-1' })
  await session(gateway, 'bob', { account: 'acc-2' })
  await release(gateway, keeper)
  await session(gateway, 'cyd', { account: 'acc-1' })
  assert.deepEqual(await holders(gateway, { account: 'acc-1' }), ['cyd', 'ada'])
  assert.deepEqual(await holders(gateway, { slot: 2 }), ['bob', 'ada'])
  assert.deepEqual(await holders(gateway, { slot: 2, account: 'acc-1' }), ['ada'])
})

test('50 are shown unless asked otherwise, and never more than 500', async () => {
  await using gateway = await start()
  for (let n = 0; n < 501; n++) await session(gateway, `runner-${n}`)
  assert.equal((await history(gateway)).length, 50)
  assert.equal((await history(gateway, { limit: 7 })).length, 7)
  assert.equal((await history(gateway, { limit: 9_999 })).length, 500)
  await assert.rejects(history(gateway, { limit: 0 }), refusal('BAD_REQUEST', 'limit'))
})

test('a session is forgotten 90 days after it ended', async () => {
  await using gateway = await start()
  await session(gateway, 'ada')
  gateway.clock.advance(1)
  await session(gateway, 'bob')
  gateway.clock.advance(90 * 86_400 - 1)
  await gateway.runJob('runners.retention')
  assert.deepEqual(await holders(gateway), ['bob'])
})
