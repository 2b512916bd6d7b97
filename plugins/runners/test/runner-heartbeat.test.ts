import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { at, start, type TestGateway } from './support.ts'

const pulse = (gateway: TestGateway, args: object) => gateway.call('runner_heartbeat', { machine: 'forge', ...args })

test('the first pulse registers the machine', async () => {
  await using gateway = await start()
  const registered = { holder: 'forge/1', address: 'forge', capabilities: ['gpu', 'primary'] }
  assert.deepEqual(await pulse(gateway, registered), {
    runner: { machine: 'forge', ...registered, holderPrincipal: 'operator', firstHeartbeatAt: at(gateway), lastHeartbeatAt: at(gateway) },
  })
})

test('a later pulse moves the time on and keeps what it leaves out', async () => {
  await using gateway = await start()
  const { runner } = await pulse(gateway, { address: 'forge', capabilities: ['gpu'] })
  gateway.clock.advance(60)
  assert.deepEqual((await pulse(gateway, {})).runner, { ...runner, lastHeartbeatAt: at(gateway) })
  assert.deepEqual((await pulse(gateway, { capabilities: [] })).runner, { ...runner, capabilities: [], lastHeartbeatAt: at(gateway) })
  assert.equal((await pulse(gateway, { address: 'anvil' })).runner.address, 'anvil')
})

test('its arguments are checked', async () => {
  await using gateway = await start()
  for (const args of [{ machine: ' ' }, { holder: ' ' }, { address: 'two words' }, { capabilities: 'gpu' }]) {
    await assert.rejects(pulse(gateway, args), refusal('BAD_REQUEST', Object.keys(args)[0]))
  }
  assert.deepEqual((await gateway.documents())['runners.machines'], [])
})
