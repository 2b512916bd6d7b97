import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, handler, json, operatorOf, refusal, register, start } from './support.ts'

test('the tool leaves the lists at once, and later calls do not know it', async () => {
  await using gateway = await start()
  await using remote = await handler(json(1))
  await register(gateway, { handlerUrl: remote.url }, { as: operatorOf('acme') })
  await gateway.call('shout', { text: 'a' }, { as: admin })
  assert.deepEqual(await gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin }), { removed: true })
  await assert.rejects(gateway.call('shout', { text: 'a' }, { as: admin }), refusal('UNKNOWN_TOOL', { name: 'shout' }))
  assert.deepEqual(await gateway.call('plugin_tools_list', {}, { as: admin }), { count: 0, tools: [] })
  assert.equal(remote.received.length, 1)
})

test('what is not there is not removed, and that is no error', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('plugin_tools_remove', { name: 'nothing' }), { removed: false })
  assert.deepEqual(await gateway.call('plugin_tools_remove', { name: 'plugin_tools_list' }), { removed: false })
})

test('a tool that is registered again after that has a new secret', async () => {
  await using gateway = await start()
  const { secret } = await register(gateway)
  await gateway.call('plugin_tools_remove', { name: 'shout' })
  const again = await register(gateway)
  assert.ok(again.created && again.secret && again.secret !== secret)
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { PLUGIN_TOOLS_ENABLED: '1', RBAC_ENFORCE: '1' } })
  await assert.rejects(gateway.call('plugin_tools_remove', { name: 'shout' }, { as: { ...admin, role: 'member' } }), refusal('FORBIDDEN'))
})

test('it is audited as plugintool.change', async () => {
  await using gateway = await start()
  const { tool } = await register(gateway, {}, { as: admin })
  await gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin })
  await gateway.call('plugin_tools_remove', { name: 'shout' }, { as: admin })
  const changes = (await gateway.audit('acme')).filter(({ name, tool }) => name === 'plugintool.change' && tool === 'plugin_tools_remove')
  assert.deepEqual(
    changes.map(({ details }) => details),
    [{ action: 'remove', name: 'shout', hash: tool.hash }],
  )
})
