import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { admin, handler, json, operatorOf, refusal, register, SCHEMA, start, URL_OUTSIDE } from './support.ts'

test('a new tool is answered with, and its secret is shown this once', async () => {
  await using gateway = await start()
  const answer = await register(gateway, { description: 'Shouts.', timeoutMs: 5_000 }, { as: admin })
  const at = new Date(gateway.clock.now()).toISOString()
  const definition = ['shout', 'Shouts.', JSON.stringify(SCHEMA), URL_OUTSIDE, 5_000]
  const tool = {
    name: 'shout',
    description: 'Shouts.',
    schema: SCHEMA,
    handlerUrl: URL_OUTSIDE,
    timeoutMs: 5_000,
    enabled: true,
    hash: hash('sha256', JSON.stringify(definition)),
    createdAt: at,
    updatedAt: at,
    updatedBy: 'ann',
  }
  assert.deepEqual(answer, { tool, created: true, secret: answer.secret })
  assert.match(answer.secret, /^pts_/)
  const listed = await gateway.call('plugin_tools_list', {}, { as: admin })
  assert.deepEqual(listed, { count: 1, tools: [tool] })
  assert.ok(!JSON.stringify([listed, await gateway.audit('acme'), gateway.logs]).includes(answer.secret))
})

test('without its flag it is SWITCHED_OFF, names the flag, and the list is empty', async () => {
  await using gateway = await start({ env: {} })
  await assert.rejects(register(gateway), refusal('SWITCHED_OFF', { setting: 'PLUGIN_TOOLS_ENABLED' }, /PLUGIN_TOOLS_ENABLED=1/))
  assert.deepEqual(await gateway.call('plugin_tools_list'), { count: 0, tools: [] })
})

test('with the flag taken away, what was registered is neither listed nor called, and is there again when it is set', async () => {
  await using remote = await handler(json(1))
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-tools-'))
  try {
    {
      await using gateway = await start({ dataDir })
      await register(gateway, { handlerUrl: remote.url })
    }
    {
      await using gateway = await start({ env: {}, dataDir })
      assert.deepEqual(await gateway.call('plugin_tools_list'), { count: 0, tools: [] })
      await assert.rejects(gateway.call('shout', { text: 'a' }), refusal('UNKNOWN_TOOL'))
    }
    await using gateway = await start({ dataDir })
    assert.deepEqual(await gateway.call('shout', { text: 'a' }), { result: 1 })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a name is one lowercase letter, then 2 to 63 lowercase letters, digits or underscores', async () => {
  await using gateway = await start()
  for (const name of ['abc', 'a_1', 'a__', `a${'b'.repeat(63)}`]) await register(gateway, { name })
  for (const name of ['', 'ab', 'Abc', 'aBc', '1bc', '_bc', 'a-c', 'a.c', 'a c', 'abc\n', 'äbc', `a${'b'.repeat(64)}`, 5]) {
    await assert.rejects(register(gateway, { name }), refusal('BAD_REQUEST', { field: 'name' }), String(name))
  }
})

test('a name of the gateway’s own is refused', async () => {
  await using gateway = await start()
  for (const name of ['plugin_tools_register', 'plugin_tools_list', 'plugin_tools_remove']) {
    await assert.rejects(register(gateway, { name }), refusal('BAD_REQUEST', { field: 'name' }, /a gateway tool/))
  }
})

test('a schema that is missing, not of type object, or not safe is refused by its place', async () => {
  await using gateway = await start()
  await assert.rejects(register(gateway, { schema: undefined }), refusal('BAD_REQUEST', { field: 'schema' }))
  await assert.rejects(register(gateway, { schema: 'x' }), refusal('BAD_REQUEST', { field: 'schema' }))
  await assert.rejects(register(gateway, { schema: {} }), refusal('BAD_REQUEST', { field: 'schema.type' }))
  await assert.rejects(register(gateway, { schema: { type: 'string' } }), refusal('BAD_REQUEST', { field: 'schema.type' }))
  const bomb = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } }
  await assert.rejects(register(gateway, { schema: bomb }), refusal('BAD_REQUEST', { field: 'schema.properties.a.pattern' }))
  assert.deepEqual((await gateway.call('plugin_tools_list')).tools, [])
})

test('property names that hosts refuse are refused by their place, at every depth, and so are arrays without items', async () => {
  await using gateway = await start()
  const inner = { type: 'object', properties: { 'a-b.c $': {} } }
  const places: readonly (readonly [schema: object, field: string])[] = [
    [inner, 'schema.properties.a-b.c $'],
    [{ type: 'object', properties: { ['n'.repeat(65)]: {} } }, `schema.properties.${'n'.repeat(65)}`],
    [{ type: 'object', properties: { '': {} } }, 'schema.properties.'],
    [{ type: 'object', properties: { list: { type: 'array', items: inner } } }, 'schema.properties.list.items.properties.a-b.c $'],
    [
      { type: 'object', properties: { either: { anyOf: [{ type: 'null' }, inner] } } },
      'schema.properties.either.anyOf[1].properties.a-b.c $',
    ],
    [{ type: 'object', additionalProperties: inner }, 'schema.additionalProperties.properties.a-b.c $'],
    [{ type: 'object', properties: { list: { type: 'array' } } }, 'schema.properties.list.items'],
    [{ type: 'object', properties: { list: { type: ['array', 'null'] } } }, 'schema.properties.list.items'],
  ]
  for (const [schema, field] of places)
    await assert.rejects(register(gateway, { schema }), refusal('BAD_REQUEST', { field }, /MCP hosts refuse the whole list/), field)
  await register(gateway, { schema: { type: 'object', properties: { 'a-b.C_9': { type: 'array', items: {} }, ['n'.repeat(64)]: {} } } })
})

test('a name that does not fit with the usual prefix is taken, with a warning', async () => {
  await using gateway = await start()
  assert.equal('warning' in (await register(gateway, { name: `a${'b'.repeat(49)}` })), false)
  const { tool, warning } = await register(gateway, { name: `a${'b'.repeat(50)}` })
  assert.equal(tool.name.length, 51)
  assert.match(warning, /With the prefix mcp__gateway__ .* has 65 characters, and many hosts allow 64/)
})

test('a tenant’s tool is listed with a schema that every client can compile, and its whole schema is checked', async () => {
  await using remote = await handler(json(1))
  await using gateway = await start()
  const word = { type: 'string', pattern: '^[a-z]+$', maxLength: 5 }
  const list = { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 9 }
  await register(gateway, { handlerUrl: remote.url, schema: { type: 'object', properties: { word, list } } })
  const { tools } = (await gateway.inject({ method: 'GET', url: '/api/tools?view=t/plugin-tools' })).json()
  const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'shout')
  assert.deepEqual(inputSchema.properties, {
    word: { type: 'string', pattern: '^[a-z]+$' },
    list: { type: 'array', items: { type: 'string' }, maxItems: 9 },
  })
  await assert.rejects(gateway.call('shout', { word: 'abcdef' }), refusal('BAD_REQUEST', { field: 'word' }))
  await assert.rejects(gateway.call('shout', { list: ['a', 'a'] }), refusal('BAD_REQUEST', { field: 'list[1]' }))
})

test('which draft a schema says it is of is left out', async () => {
  await using gateway = await start()
  const { tool } = await register(gateway, { schema: { $schema: 'http://json-schema.org/draft-07/schema#', ...SCHEMA } })
  assert.deepEqual(tool.schema, SCHEMA)
})

test('a handler is https on the open internet; one on this machine is for the local operator', async () => {
  await using gateway = await start()
  const no = [
    'http://tools.example.com/',
    'ftp://tools.example.com/',
    'https://10.0.0.1/',
    'https://user@tools.example.com/',
    'tools.example.com',
  ]
  for (const handlerUrl of no)
    await assert.rejects(register(gateway, { handlerUrl }), refusal('BAD_REQUEST', { field: 'handlerUrl' }), handlerUrl)
  for (const handlerUrl of ['http://127.0.0.1:9/', 'http://localhost/', 'https://[::1]/']) {
    await register(gateway, { handlerUrl })
    for (const role of ['admin', 'owner', 'system'] as const) {
      const as = { ...admin, role, kind: role === 'system' ? 'system' : 'api-key' } as const
      await assert.rejects(
        register(gateway, { handlerUrl }, { as }),
        refusal('BAD_REQUEST', { field: 'handlerUrl' }, /only when the local operator/),
      )
    }
  }
  await assert.rejects(register(gateway, { handlerUrl: undefined }), refusal('BAD_REQUEST', { field: 'handlerUrl' }))
})

test('timeoutMs is 10000 unless given, and brought within 250 and 30000', async () => {
  await using gateway = await start()
  for (const [given, kept] of [
    [undefined, 10_000],
    [0, 250],
    [-5, 250],
    [249, 250],
    [250, 250],
    [1_234.5, 1_235],
    [30_000, 30_000],
    [30_001, 30_000],
    [1e300, 30_000],
  ]) {
    assert.equal((await register(gateway, { timeoutMs: given })).tool.timeoutMs, kept, String(given))
  }
  await assert.rejects(register(gateway, { timeoutMs: 'five' }), refusal('BAD_REQUEST', { field: 'timeoutMs' }))
})

test('a tool is enabled unless it is said not to be', async () => {
  await using gateway = await start()
  assert.equal((await register(gateway)).tool.enabled, true)
  assert.equal((await register(gateway, { enabled: false })).tool.enabled, false)
})

test('registering a name anew changes the tool; its secret stays as long as its handler does, and is not shown again', async () => {
  await using gateway = await start()
  const first = await register(gateway, {}, { as: admin })
  gateway.clock.advance(60)
  const second = await register(gateway, { description: 'Other.' }, { as: { ...admin, id: 'amy' } })
  assert.deepEqual(
    [second.created, second.secret, second.tool.createdAt, second.tool.updatedBy],
    [false, undefined, first.tool.createdAt, 'amy'],
  )
  assert.notEqual(second.tool.hash, first.tool.hash)
  assert.notEqual(second.tool.updatedAt, first.tool.updatedAt)
  const third = await register(gateway, { handlerUrl: 'https://other.example.com/' }, { as: admin })
  assert.ok(third.secret && third.secret !== first.secret)
  const back = await register(gateway, {}, { as: admin })
  assert.ok(back.secret && back.secret !== first.secret)
  assert.equal(back.tool.hash, first.tool.hash)
  assert.equal((await gateway.call('plugin_tools_list', {}, { as: admin })).count, 1)
})

test('a tenant has at most twenty; the twenty-first is a conflict, also of several at once, and changes nothing', async () => {
  await using gateway = await start()
  const results = await Promise.allSettled(Array.from({ length: 24 }, (_, i) => register(gateway, { name: `tool_${i}` }, { as: admin })))
  const refused = results.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 4)
  for (const one of refused) refusal('CONFLICT', { field: 'name' }, /20 own tools/)(one.reason)
  const { tools } = await gateway.call('plugin_tools_list', {}, { as: admin })
  assert.equal(tools.length, 20)
  // An existing tool can be changed, another tenant is not affected, and a removed one frees its place.
  await register(gateway, { name: tools[0].name, description: 'Other.' }, { as: admin })
  await register(gateway, {}, { as: operatorOf('bolt') })
  await gateway.call('plugin_tools_remove', { name: tools[0].name }, { as: admin })
  await register(gateway, { name: 'one_more' }, { as: admin })
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { PLUGIN_TOOLS_ENABLED: '1', RBAC_ENFORCE: '1' } })
  await register(gateway, {}, { as: admin })
  await assert.rejects(register(gateway, {}, { as: { ...admin, role: 'member' } }), refusal('FORBIDDEN'))
})

test('it is audited as plugintool.change, with the hash before and after', async () => {
  await using gateway = await start()
  const first = await register(gateway, {}, { as: admin })
  const second = await register(gateway, { description: 'Other.' }, { as: admin })
  await assert.rejects(register(gateway, { schema: {} }, { as: admin }))
  const changes = (await gateway.audit('acme')).filter(({ name }) => name === 'plugintool.change')
  assert.deepEqual(
    changes.map(({ details }) => details),
    [
      { action: 'register', name: 'shout', hash: first.tool.hash },
      { action: 'register', name: 'shout', hash: second.tool.hash, hashBefore: first.tool.hash },
    ],
  )
})
