import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { get, list, servers, set, start, toggle } from './support.ts'

test('a connector of one’s own: http with a url, stdio with a command; all else has defaults', async () => {
  await using gateway = await start()
  const at = new Date(gateway.clock.now()).toISOString()
  const own = { category: 'custom', description: '', requiresEnv: [], enabled: true, source: 'custom', createdAt: at, updatedAt: at }
  const url = 'https://a.example.com/mcp'
  assert.deepEqual(await set(gateway, 'a', { transport: 'http', url }), { key: 'a', label: 'a', transport: 'http', url, ...own })
  const stdio = { transport: 'stdio', command: 'run', args: ['--fast'] }
  assert.deepEqual(await set(gateway, 'b', stdio), { key: 'b', label: 'b', ...stdio, ...own })
  assert.equal((await set(gateway, 'c', { url })).transport, 'http')
  assert.equal((await set(gateway, 'd', { command: 'run' })).transport, 'stdio')
  const again = await set(gateway, 'b')
  assert.deepEqual(await get(gateway, 'b'), again)
})

test('everything can be said, and what is not said later stays', async () => {
  await using gateway = await start()
  const said = {
    label: 'Mine',
    category: 'storage',
    transport: 'stdio',
    description: 'A store.',
    command: 'run',
    args: ['${HOME}/x'],
    env: { TOKEN: '${TOKEN}', MODE: 'fast' },
    requiresEnv: ['OTHER'],
    enabled: false,
  }
  const before = await set(gateway, 'mine', said)
  for (const [field, value] of Object.entries(said)) assert.deepEqual(before[field as keyof typeof before], value, field)
  gateway.clock.advance(1)
  const after = await set(gateway, 'mine', { description: 'Another.', env: {} })
  assert.deepEqual(after, { ...before, description: 'Another.', env: {}, updatedAt: new Date(gateway.clock.now()).toISOString() })
})

test('every category is taken, and no other; nor another transport', async () => {
  await using gateway = await start()
  for (const category of ['framework', 'docs', 'design', 'browser', 'vcs', 'deploy', 'storage', 'custom']) {
    assert.equal((await set(gateway, 'mine', { command: 'run', category })).category, category)
  }
  await assert.rejects(set(gateway, 'mine', { category: 'games' }), refusal('BAD_REQUEST', 'category'))
  await assert.rejects(set(gateway, 'mine', { transport: 'sse' }), refusal('BAD_REQUEST', 'transport'))
})

test('url belongs to http, command and args to stdio; a change of transport drops what belonged to the other', async () => {
  await using gateway = await start()
  const url = 'https://a.example.com/'
  await assert.rejects(set(gateway, 'x', { transport: 'http' }), refusal('BAD_REQUEST', 'url'))
  await assert.rejects(set(gateway, 'x', { transport: 'stdio' }), refusal('BAD_REQUEST', 'command'))
  await assert.rejects(set(gateway, 'x', { label: 'X' }), refusal('BAD_REQUEST', 'transport'))
  await assert.rejects(set(gateway, 'x', { transport: 'stdio', command: 'run', url }), refusal('BAD_REQUEST', 'url'))
  await assert.rejects(set(gateway, 'x', { transport: 'http', url, command: 'run' }), refusal('BAD_REQUEST', 'command'))
  await assert.rejects(set(gateway, 'x', { transport: 'http', url, args: [] }), refusal('BAD_REQUEST', 'args'))
  assert.equal(await get(gateway, 'x'), undefined)
  await set(gateway, 'x', { command: 'run', args: ['a'] })
  await assert.rejects(set(gateway, 'x', { transport: 'http' }), refusal('BAD_REQUEST', 'url'))
  const { command, args, transport } = await set(gateway, 'x', { transport: 'http', url })
  assert.deepEqual([transport, command, args], ['http', undefined, undefined])
})

test('an address is http or https, without a password; parts of it may be references', async () => {
  await using gateway = await start()
  for (const url of [
    'http://localhost:3000/mcp',
    '${BASE}/mcp',
    'https://${HOST}/mcp',
    'https://a.example.com/?k=${K}',
    '${B:-https://a.b/c}',
  ]) {
    assert.equal((await set(gateway, 'x', { url })).url, url)
  }
  for (const url of [
    'ftp://a.example.com',
    'a.example.com',
    '/mcp',
    'file:///etc/passwd',
    'https://a b/',
    'https://u:p@a.example.com',
    'javascript:1',
  ]) {
    await assert.rejects(set(gateway, 'x', { url }), refusal('BAD_REQUEST', 'url'), url)
  }
})

test('env has names of variables, for http those of headers, and values of one line', async () => {
  await using gateway = await start()
  for (const env of [{ 'A-B': 'x' }, { '1A': 'x' }, { '': 'x' }, { 'a.b': 'x' }, { A: 'x\ny' }]) {
    await assert.rejects(set(gateway, 'x', { command: 'run', env }), refusal('BAD_REQUEST', 'env'), JSON.stringify(env))
  }
  await assert.rejects(set(gateway, 'x', { command: 'run', env: { A: 1 } }), { code: 'BAD_REQUEST' })
  const env = { 'X-Api-Key': '${KEY}' }
  assert.deepEqual((await set(gateway, 'y', { url: 'https://a.example.com', env })).env, env)
  await assert.rejects(set(gateway, 'y', { env: { 'X Y': 'z' } }), refusal('BAD_REQUEST', 'env'))
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`V${n}`, 'x']))
  await assert.rejects(set(gateway, 'x', { command: 'run', env: many }), refusal('BAD_REQUEST', 'env'))
})

test('what a connector needs follows its references, but for those with another value, until it is said', async () => {
  await using gateway = await start()
  const needed = async (args: object) => (await set(gateway, 'x', { command: 'run', ...args })).requiresEnv
  assert.deepEqual(await needed({ args: ['--key=${B}', '${C:-c}'], env: { X: '${A} ${B}' } }), ['A', 'B'])
  assert.deepEqual(await needed({ env: { X: 'plain' } }), ['B'])
  assert.deepEqual(await needed({ requiresEnv: ['Z'] }), ['Z'])
  assert.deepEqual(await needed({ env: { X: '${A}' } }), ['Z'])
  await assert.rejects(needed({ requiresEnv: ['not a name'] }), { code: 'BAD_REQUEST' })
})

test('a curated connector is toggled with just key and enabled, also before the first look; nothing else of it is set', async () => {
  await using gateway = await start()
  assert.equal((await set(gateway, 'github', { enabled: true })).enabled, true)
  assert.equal((await set(gateway, 'github')).enabled, true)
  assert.equal((await set(gateway, 'github', { enabled: false })).enabled, false)
  for (const field of ['label', 'url', 'description']) {
    await assert.rejects(set(gateway, 'github', { [field]: 'https://evil.example.com', enabled: true }), refusal('BAD_REQUEST', field))
  }
  const github = await get(gateway, 'github')
  assert.deepEqual([github?.enabled, github?.label, github?.source], [false, 'GitHub', 'bundled'])
})

test('a key is a name that every client takes', async () => {
  await using gateway = await start()
  for (const key of ['', '-a', '__proto__', 'a b', 'a/b', 'a.b', 'ä', 'x'.repeat(65)]) {
    await assert.rejects(set(gateway, key, { command: 'run' }), refusal('BAD_REQUEST', 'key'), key)
  }
  for (const key of ['constructor', 'A_b-1']) assert.equal((await set(gateway, key, { command: 'run' })).key, key)
  assert.ok('constructor' in (await servers(gateway)))
})

test('a tenant has 200 of its own, and can change them when it has all', async () => {
  await using gateway = await start()
  for (let n = 0; n < 200; n++) await set(gateway, `own-${n}`, { command: 'run' })
  await assert.rejects(set(gateway, 'one-more', { command: 'run' }), refusal('BAD_REQUEST', 'key'))
  await set(gateway, 'own-7', { command: 'walk' })
  await gateway.call('connectors_remove', { key: 'own-8' })
  await set(gateway, 'one-more', { command: 'run' })
})

test('toggling switches one connector, curated or own, and says NOT_FOUND of none', async () => {
  await using gateway = await start()
  await set(gateway, 'mine', { command: 'run' })
  for (const key of ['mine', 'playwright']) {
    for (const enabled of [false, true, true]) assert.equal((await toggle(gateway, key, enabled)).enabled, enabled)
    assert.equal((await get(gateway, key))?.enabled, true)
  }
  await assert.rejects(toggle(gateway, 'nobody', true), { code: 'NOT_FOUND' })
})

test('a custom connector is deleted, a curated one switched off instead, and the answer says which', async () => {
  await using gateway = await start()
  const remove = (key: string) => gateway.call('connectors_remove', { key })
  await set(gateway, 'mine', { command: 'run' })
  assert.deepEqual(await remove('mine'), { key: 'mine', outcome: 'deleted' })
  assert.deepEqual(await remove('mine'), { key: 'mine', outcome: 'absent' })
  assert.equal(await get(gateway, 'mine'), undefined)
  assert.deepEqual(await remove('playwright'), { key: 'playwright', outcome: 'disabled' })
  assert.equal((await get(gateway, 'playwright'))?.enabled, false)
  assert.ok((await list(gateway)).length > 0)
})

test('changing needs the capability configure, looking needs read', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  const as = { tenantId: 'acme', kind: 'user', role: 'member' } as const
  for (const [name, args] of [
    ['connectors_set', { key: 'x', command: 'run' }],
    ['connectors_toggle', { key: 'github', enabled: true }],
    ['connectors_remove', { key: 'github' }],
    ['connectors_seed_defaults', {}],
  ] as const) {
    await assert.rejects(gateway.call(name, args, { as }), { code: 'FORBIDDEN' }, name)
  }
  for (const name of ['connectors_list', 'connectors_mcp_config']) await gateway.call(name, {}, { as: { ...as, role: 'viewer' } })
})

test('over REST: made, listed, toggled, removed', async () => {
  await using gateway = await start()
  const send = async (method: string, url: string, body?: object) => {
    const response = await gateway.inject({ method, url: `/api/connectors${url}`, ...(body && { body }) })
    assert.equal(response.status, 200)
    return response.json()
  }
  assert.equal((await send('PUT', '/mine', { command: 'run' })).connector.key, 'mine')
  assert.equal((await send('POST', '/mine/toggle', { enabled: false })).connector.enabled, false)
  assert.equal((await send('DELETE', '/mine')).outcome, 'deleted')
  assert.equal((await send('POST', '/seed')).seeded > 0, true)
  assert.equal((await send('GET', '')).connectors.length > 0, true)
})
