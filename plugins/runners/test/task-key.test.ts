import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { type InjectResponse, startTestGateway, type TestGateway } from '@gateway/testing'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: standardPlugins })
})
after(() => gateway.stop())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
interface Work {
  readonly taskId: string
  readonly claimId: string
  readonly apiKey: string
  readonly address: string
  ask(method: Method, url: string, body?: object, headers?: object): Promise<InjectResponse>
  /** Calls a tool over REST with the key, and returns the status. */
  tool(name: string, args?: object): Promise<number>
}

/** A claimed task with the key of its agent. */
async function work(repo = 'web', leaseSeconds = 600): Promise<Work> {
  const { task: made } = await gateway.call('tasks_create', { repo, title: 'A task' })
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'm1/primary/1', repo, leaseSeconds })
  assert.equal(task.taskId, made.taskId)
  const { taskId, claimId } = task
  const { apiKey, address } = await gateway.call('runners.issue-key', { taskId, claimId })
  const ask: Work['ask'] = (method, url, body, headers = { 'x-api-key': apiKey }) =>
    gateway.inject({
      method,
      url,
      headers: { 'x-forwarded-for': '127.0.0.1', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const tool = async (name: string, args: object = {}) => (await ask('POST', `/api/tools/${name}`, args)).status
  return { taskId, claimId, apiKey, address, ask, tool }
}

test('the agent of a task reads and notes its task, keeps files of it, and uses the memory of its repo', async () => {
  const w = await work('shop')
  assert.equal((await w.ask('GET', `/api/tasks/${w.taskId}`)).json().task.taskId, w.taskId)
  assert.equal(await w.tool('tasks_update', { notes: 'Half way.' }), 200)
  assert.equal((await gateway.call('tasks.get', { taskId: w.taskId })).task.notes, 'Half way.')
  assert.equal(await w.tool('artifacts_register', { kind: 'other', filename: 'r.txt', content: 'x' }), 200)
  assert.equal((await gateway.call('artifacts_list', { taskId: w.taskId })).artifacts.length, 1)
  assert.equal(await w.tool('memory_store', { content: 'The till rounds up.' }), 200)
  const { results } = await gateway.call('memory_search', { query: 'till rounds', repo: 'shop' })
  assert.equal(results[0].repo, 'shop')
  assert.equal(await w.tool('memory_search', { query: 'till rounds', repo: 'shop' }), 200)
  assert.equal(await w.tool('context_boot', { query: 'till' }), 200)
})

test('an agent that fills in every argument leaves those out that it sets to null', async () => {
  const w = await work('nulls')
  assert.equal(await w.tool('memory_search', { query: 'gecko', repo: null, limit: '3', source: null, tags: null }), 200)
  assert.equal(await w.tool('tasks_update', { taskId: null, claimId: null, status: null, notes: 'Half way.' }), 200)
  assert.equal((await gateway.call('tasks.get', { taskId: w.taskId })).task.notes, 'Half way.')
})

test('the context of the agent of a task names its work and its address, the tools it may call, and neither queue nor mail of others', async () => {
  const w = await work('desk')
  await gateway.call('tasks_create', { repo: 'desk', title: 'Another task' })
  for (const to of ['operator', 'desk']) await gateway.call('mail_send', { to, from: 'm1', body: 'Not for agents.' })
  const booted = (await w.ask('POST', '/api/tools/context_boot', { query: 'desk' })).json()
  assert.match(
    booted.bundle,
    new RegExp(`You work on \`${w.taskId}\` in \`desk\`, with a key for this work alone\\. Your mail address is \`${w.address}\``),
  )
  assert.match(booted.bundle, /`state_read`/)
  assert.doesNotMatch(booted.bundle, /handoff_write|state_update|Another task|ready to claim|Unread|unread|operator/)
  assert.equal(booted.lazyRecall.includes('brain_search'), false)
  const { bundle } = await gateway.call('context_boot', { repo: 'desk' })
  for (const shown of [/handoff_write/, /Another task/, /Unread messages for `operator`/, /unread mail for `desk`/])
    assert.match(bundle, shown)
})

test('the agent of a task has mail under the name of the task, and no other', async () => {
  const w = await work('post')
  await gateway.call('mail_send', { to: w.address, from: 'm1', body: 'Mind the gap.' })
  await gateway.call('mail_send', { to: 'm1', from: 'm2', body: 'Not for agents.' })
  const inbox = (await w.ask('GET', '/api/mail')).json() as { messages: { body: string }[] }
  assert.deepEqual(
    inbox.messages.map(({ body }) => body),
    ['Mind the gap.'],
  )
  assert.equal((await w.ask('GET', '/api/mail?to=m1')).status, 403)
  assert.equal(await w.tool('mail_send', { to: 'm1', from: 'm2', body: 'Forged.' }), 403)
  assert.equal(await w.tool('mail_send', { to: 'm1', body: 'A question.' }), 200)
  const { messages } = await gateway.call('mail_inbox', { to: 'm1' })
  assert.deepEqual(
    messages.map(({ from, body }: { from: string; body: string }) => [from, body]).sort(),
    [
      [w.address, 'A question.'],
      ['m2', 'Not for agents.'],
    ].sort(),
  )
})

test('the agent of a task acks the mail of its task, and mail of others is unknown to it', async () => {
  const w = await work('acks')
  const send = async (to: string) =>
    (await gateway.call('mail_send', { to, from: 'm1', body: 'Mind the gap.' })).message.messageId as string
  const [own, foreign, handled] = [await send(w.address), await send('acks-lead'), await send('acks-lead')]
  await gateway.call('mail_ack', { id: handled, ackedBy: 'm3' })
  assert.equal(await w.tool('mail_ack', { id: own }), 200)
  assert.equal((await w.ask('POST', `/api/mail/${own}/ack`)).json().message.ackedBy, w.address)
  for (const id of [foreign, handled, 'mail-none']) assert.equal(await w.tool('mail_ack', { id }), 404, id)
  const { messages } = await gateway.call('mail_inbox', { to: [w.address, 'acks-lead'], includeAcked: true })
  assert.deepEqual(
    messages.map(({ messageId, ackedBy }: Record<string, string>) => [messageId, ackedBy]).sort(),
    [
      [own, w.address],
      [foreign, undefined],
      [handled, 'm3'],
    ].sort(),
  )
})

test('the key of a task cannot touch another task, the memory of other repos, keys, settings or its own status', async () => {
  const other = (await gateway.call('tasks_create', { repo: 'web', title: 'Another task' })).task.taskId
  await gateway.call('tasks_update', { taskId: other, status: 'blocked' })
  const before = (await gateway.call('tasks.get', { taskId: other })).task
  const w = await work('bank')
  const refused: readonly [string, object][] = [
    ['tasks_update', { taskId: other, notes: 'x' }],
    ['tasks_update', { taskId: w.taskId, claimId: 'claim-x', notes: 'x' }],
    ['tasks_update', { status: 'done' }],
    ['tasks_update', { leaseSeconds: 86_400 }],
    ['tasks_fail', { taskId: w.taskId, error: 'x' }],
    ['tasks_list', { taskId: other }],
    ['tasks_claim', { claimedBy: 'me' }],
    ['tasks_create', { repo: 'bank', title: 'x' }],
    ['tasks_bulk', { operations: [] }],
    ['artifacts_list', { taskId: other }],
    ['memory_search', { query: 'x', repo: 'web' }],
    ['memory_search', { query: 'x', repo: 'web', __proto__: null }],
    ['memory_store', { content: 'x', repo: 'web' }],
    ['memory_store', { content: 'x', supersedes: 'chunk-1' }],
    ['context_boot', { query: 'x', crossProject: true }],
    ['context_boot', { root: '/etc' }],
    ['state_update', { repo: 'bank', content: 'x' }],
    ['mail_ack', { id: 'mail-1', ackedBy: 'somebody else' }],
    ['runner_lease_list', {}],
    ['budgets_status', {}],
    ['agents_invoke', { agent: 'x', input: 'y' }],
    ['fleet_maintenance_enter', { reason: 'x' }],
  ]
  for (const [name, args] of refused) assert.equal(await w.tool(name, args), 403, `${name} ${JSON.stringify(args)}`)
  const routes: readonly [Method, string, object?][] = [
    ['GET', `/api/tasks/${other}`],
    ['PATCH', `/api/tasks/${other}`, { notes: 'x' }],
    ['DELETE', `/api/tasks/${w.taskId}`],
    ['GET', '/api/keys'],
    ['POST', '/api/keys', { label: 'mine' }],
    ['POST', '/api/runners/task-keys', { taskId: w.taskId, claimId: w.claimId }],
    ['POST', '/api/budgets/report', { model: 'm', usd: 1 }],
    ['POST', '/api/logs/batch', { lines: [] }],
    ['GET', '/api/dashboard/pages'],
    ['GET', '/api/attention'],
    ['GET', '/api/events/stream'],
    ['GET', '/api/live'],
    ['POST', '/api/memory/forget', { repo: 'bank' }],
    ['GET', '/sse'],
  ]
  for (const [method, url, body] of routes) {
    const { status } = await w.ask(method, url, body)
    assert.ok(status === 403 || status === 404, `${method} ${url}: ${status}`)
  }
  assert.deepEqual((await gateway.call('tasks.get', { taskId: other })).task, before)
  assert.equal((await gateway.call('tasks.get', { taskId: w.taskId })).task.status, 'working')
})

test('over MCP the key lists its tools alone, and reads no resource, prompt or stream', async () => {
  const w = await work('mcp')
  const rpc = async (method: string, params: object = {}) =>
    w.ask(
      'POST',
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      {
        authorization: `Bearer ${w.apiKey}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...('name' in params && { 'mcp-name': params.name }),
      },
    )
  const { result } = (await rpc('tools/list')).json()
  const names = result.tools.map(({ name }: { name: string }) => name).sort()
  assert.deepEqual(names.includes('tasks_update') && names.includes('memory_search'), true)
  assert.equal(names.includes('tasks_create'), false)
  assert.equal(names.length, 13)
  const called = (await rpc('tools/call', { name: 'tasks_list', arguments: {} })).json()
  assert.equal(called.result.structuredContent.tasks[0].taskId, w.taskId)
  for (const [method, params] of [
    ['resources/read', { uri: `task://${w.taskId}` }],
    ['prompts/get', { name: 'triage' }],
    ['subscriptions/listen', { filter: {} }],
    ['resources/subscribe', { uri: 'task://x' }],
  ] as const) {
    const answer = await rpc(method, params)
    assert.ok(answer.status >= 400 || answer.json().error !== undefined, `${method}: ${answer.body}`)
  }
})

const ends: readonly [string, (w: Work) => Promise<unknown>][] = [
  ['is revoked', (w) => gateway.call('runners.revoke-key', { taskId: w.taskId, claimId: w.claimId })],
  ['is replaced', (w) => gateway.call('runners.issue-key', { taskId: w.taskId, claimId: w.claimId })],
  ['outlives the lease', async () => gateway.clock.advance(601)],
  ['belongs to a task that ended', (w) => gateway.call('tasks_update', { taskId: w.taskId, claimId: w.claimId, status: 'review' })],
  [
    'belongs to a lost claim',
    async (w) => {
      await gateway.call('tasks_update', { taskId: w.taskId, status: 'pending' })
      await gateway.call('tasks_claim', { claimedBy: 'm2', taskId: w.taskId, repo: 'ends' })
    },
  ],
]
for (const [how, end] of ends) {
  test(`a key that ${how} is refused at once`, async () => {
    const w = await work('ends')
    assert.equal((await w.ask('GET', `/api/tasks/${w.taskId}`)).status, 200)
    await end(w)
    assert.equal((await w.ask('GET', `/api/tasks/${w.taskId}`)).status, 401)
    await gateway.call('tasks_update', { taskId: w.taskId, status: 'done' })
  })
}

test('a key is issued for the claim that holds the task alone, and a late worker revokes only its own', async () => {
  const w = await work('held')
  const claimId = 'claim-of-another'
  await assert.rejects(gateway.call('runners.issue-key', { taskId: w.taskId, claimId }), { code: 'CONFLICT' })
  await assert.rejects(gateway.call('runners.issue-key', { taskId: 'task-unknown', claimId }), { code: 'NOT_FOUND' })
  assert.deepEqual(await gateway.call('runners.revoke-key', { taskId: w.taskId, claimId }), { revoked: false })
  assert.equal((await w.ask('GET', `/api/tasks/${w.taskId}`)).status, 200)
})
