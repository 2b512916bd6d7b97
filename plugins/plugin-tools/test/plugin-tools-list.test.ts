import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, register, SCHEMA, start, stranger } from './support.ts'

test('the tools of the tenant are listed by name, those that are switched off too, with their hashes and without secrets', async () => {
  await using gateway = await start()
  await register(gateway, { name: 'zebra', enabled: false }, { as: admin })
  await register(gateway, { name: 'ant' }, { as: admin })
  await register(gateway, { name: 'other' }, { as: stranger })
  const { count, tools } = await gateway.call('plugin_tools_list', {}, { as: admin })
  assert.equal(count, 2)
  assert.deepEqual(
    tools.map(({ name, enabled, schema }: { name: string; enabled: boolean; schema: object }) => ({ name, enabled, schema })),
    [
      { name: 'ant', enabled: true, schema: SCHEMA },
      { name: 'zebra', enabled: false, schema: SCHEMA },
    ],
  )
  for (const tool of tools) {
    assert.match(tool.hash, /^[0-9a-f]{64}$/)
    assert.deepEqual([tool.secret, tool.loopback, tool.schemaText], [undefined, undefined, undefined])
  }
})
