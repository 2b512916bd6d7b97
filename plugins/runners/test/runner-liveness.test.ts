import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, type TestGateway } from './support.ts'

const pulse = (gateway: TestGateway, machine: string) => gateway.call('runner_heartbeat', { machine })
async function liveness(gateway: TestGateway, args: object = {}) {
  const { machines, alive } = await gateway.call('runner_liveness', args)
  type Row = { machine: string; ageMinutes: number; down: boolean }
  return { rows: machines.map(({ machine, ageMinutes, down }: Row) => [machine, ageMinutes, down]), alive }
}

test('a machine is down when it was not heard of for more than 25 minutes; one that is not makes the whole alive', async () => {
  await using gateway = await start()
  await pulse(gateway, 'forge')
  gateway.clock.advance(60)
  await pulse(gateway, 'anvil')
  gateway.clock.advance(25 * 60)
  assert.deepEqual(await liveness(gateway), {
    rows: [
      ['anvil', 25, false],
      ['forge', 26, true],
    ],
    alive: true,
  })
  gateway.clock.advance(1)
  assert.equal((await liveness(gateway)).alive, false)
})

test('the threshold can be another', async () => {
  await using gateway = await start()
  await pulse(gateway, 'forge')
  gateway.clock.advance(60)
  assert.equal((await liveness(gateway, { thresholdMinutes: 0.5 })).alive, false)
  assert.equal((await liveness(gateway, { thresholdMinutes: 1 })).alive, true)
})

test('without a machine nothing is alive', async () => {
  await using gateway = await start()
  assert.deepEqual(await liveness(gateway), { rows: [], alive: false })
})

test('what was registered is shown, and each tenant sees its own', async () => {
  await using gateway = await start()
  const { runner } = await gateway.call('runner_heartbeat', { machine: 'forge', address: 'forge', capabilities: ['gpu'] })
  const { machines } = await gateway.call('runner_liveness')
  assert.deepEqual(machines, [{ ...runner, ageMinutes: 0, down: false }])
  assert.deepEqual((await gateway.call('runner_liveness', {}, { as: { tenantId: 'acme' } })).machines, [])
})
