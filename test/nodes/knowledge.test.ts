import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { database, Node, skip } from './nodes.ts'

// A change by one gateway on a database applies to the others on the next request.
describe(`two gateways on one database${skip ? ` (${skip})` : ''}`, { skip: skip !== false }, () => {
  let a: Node
  let b: Node
  const url = skip ? '' : database()
  before(async () => {
    a = await new Node(url).start()
    b = await new Node(url).start()
  })
  after(async () => {
    await Promise.all([a?.dispose(), b?.dispose()])
  })

  const list = (node: Node, apiKey: string) => node.post('/api/tools/tasks_list', {}, { 'x-api-key': apiKey })
  const newTenant = async (tenantId: string): Promise<string> => {
    const { status, json } = await a.admin('', { name: tenantId, tenantId })
    assert.equal(status, 201)
    return json.apiKey as string
  }

  test('a key issued by one is known to the other', async () => {
    const key = await newTenant('issued')
    assert.equal((await list(b, key)).status, 200)
  })

  test('a tenant suspended at one is refused by the other on its very next call, and let in again at once', async () => {
    const key = await newTenant('suspended')
    for (let round = 0; round < 5; round++) {
      assert.equal((await list(b, key)).status, 200)
      await a.admin('/suspended/suspend', { reason: 'test' })
      const refused = await list(b, key)
      assert.deepEqual([refused.status, refused.json.code], [403, 'TENANT_SUSPENDED'])
      await a.admin('/suspended/reactivate', {})
    }
    assert.equal((await list(b, key)).status, 200)
  })

  test('a key rotated away at one is void at the other on its very next call', async () => {
    const key = await newTenant('rotated')
    assert.equal((await list(b, key)).status, 200)
    const { json } = await a.admin('/rotated/rotate-key', { role: 'owner', graceMinutes: 0 })
    const [before, now] = [await list(b, key), await list(b, json.apiKey as string)]
    assert.deepEqual([before.status, now.status], [401, 200])
  })

  test('a stream at one ends when its tenant is suspended at the other', { timeout: 120_000 }, async () => {
    const key = await newTenant('listening')
    const response = await fetch(`${b.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
        'x-api-key': key,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    assert.equal(response.status, 200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    assert.match(new TextDecoder().decode((await reader.read()).value), /acknowledged/)
    await a.admin('/listening/suspend', { reason: 'test' })
    // The stream ends on its own, within the time of this test.
    while (!(await reader.read()).done);
  })

  test('what one has written the other reads', async () => {
    const { task } = await a.call('tasks_create', { repo: 'shared', title: 'written at a' })
    const { tasks } = await b.call('tasks_list', { repo: 'shared' })
    assert.deepEqual(
      (tasks as { taskId: string }[]).map(({ taskId }) => taskId),
      [(task as { taskId: string }).taskId],
    )
  })

  test('maintenance entered at one pauses claims at the other on its very next call, until it is ended there', {
    timeout: 120_000,
  }, async () => {
    await a.call('tasks_create', { repo: 'maintained', title: 'x' })
    const claim = () => b.call('tasks_claim', { claimedBy: 'ada', repo: 'maintained' })
    await a.call('fleet_maintenance_enter', { reason: 'a new disk' })
    const { claimed, reason } = await claim()
    assert.deepEqual([claimed, reason], [false, 'The fleet is in maintenance: a new disk'])
    assert.equal((await b.call('fleet_maintenance_exit', {})).resumed, true)
    assert.equal((await claim()).claimed, true)
    await a.call('fleet_maintenance_enter', { resumeInMinutes: 0.01 })
    await a.call('tasks_create', { repo: 'maintained', title: 'y' })
    // They resume on their own, within the time of this test.
    for (let resumed = false; !resumed; ) resumed = (await claim()).claimed === true
  })

  test('a node with another hash key does not start, and says what to do', async () => {
    const wrong = new Node(url, { GATEWAY_HASH_KEY: '00'.repeat(32) })
    await assert.rejects(wrong.start(), /GATEWAY_HASH_KEY/)
    await wrong.dispose()
  })
})
