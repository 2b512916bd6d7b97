import assert from 'node:assert/strict'
import { test } from 'node:test'
import { held, start } from './support.ts'

const list = (gateway: Awaited<ReturnType<typeof start>>, args: object = {}) => gateway.call('runner_lease_list', args)

test('every slot is shown, held or free, with what is active and how many there are', async () => {
  await using gateway = await start()
  const ada = await held(gateway, 'ada', { machine: 'forge', account: 'acc-1', taskId: 'task-1', leaseSeconds: 60 })
  assert.deepEqual(await list(gateway), {
    slots: [
      { ...ada, stale: false },
      { slot: 2, stale: false },
    ],
    active: 1,
    max: 2,
  })
})

test('a slot that ran out is stale and not active', async () => {
  await using gateway = await start()
  const ada = await held(gateway, 'ada', { leaseSeconds: 60 })
  await held(gateway, 'bob')
  gateway.clock.advance(60)
  const { slots, active } = await list(gateway)
  assert.deepEqual([slots[0], slots[1].stale, active], [{ ...ada, stale: true }, false, 1])
})

test('slots says how many there are; sessions beyond them are shown too', async () => {
  await using gateway = await start()
  for (const holder of ['ada', 'bob', 'cyd']) await held(gateway, holder, { slots: 3 })
  const { slots, active, max } = await list(gateway, { slots: 1 })
  assert.deepEqual([slots.map(({ slot }: { slot: number }) => slot), active, max], [[1, 2, 3], 3, 1])
  assert.deepEqual((await list(gateway, { slots: 5 })).slots.length, 5)
})
