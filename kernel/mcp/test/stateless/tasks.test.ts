import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { ALL, type Answered, ASKABLE, type Asked, ask, call, listen, open, SECRET, session, TASKS, taskWhen } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

const era = statelessFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [era.plugin], listen: true, env: { GATEWAY_JWT_SECRET: SECRET } })
})
after(() => gateway.stop())

const accept = (content: object) => ({ action: 'accept', content })
const able = { capabilities: ALL }
const about = (method: string, taskId: string, params: object = {}, more: Partial<Asked> = {}): Promise<Answered> =>
  ask(gateway, { method, ...able, ...more, params: { taskId, ...params } })
const update = (taskId: string, inputResponses: unknown, more: Partial<Asked> = {}) =>
  about('tasks/update', taskId, { inputResponses }, more)

function assertTask({ status, json }: Answered): string {
  assert.deepEqual([status, json.result?.resultType], [200, 'task'], JSON.stringify(json))
  return json.result.taskId
}
const begin = async (end: string, more: Partial<Asked> = {}): Promise<string> =>
  assertTask(await call(gateway, 'era_job', { end }, { ...able, ...more }))
function assertAck({ status, json }: Answered): void {
  const { _meta, ...result } = json.result
  assert.deepEqual([status, result], [200, { resultType: 'complete' }])
}
const assertUnknown = ({ status, json }: Answered): void =>
  assert.deepEqual([status, json.error?.code], [200, -32602], JSON.stringify(json))

test('a tool that lets go of its caller becomes a task, which is there before its caller is told', async () => {
  const { status, json } = await call(gateway, 'era_wait', { detach: true }, able)
  const { resultType, taskId, createdAt, lastUpdatedAt, _meta, ...rest } = json.result
  const at = new Date(gateway.clock.now()).toISOString()
  assert.deepEqual([status, resultType, createdAt, lastUpdatedAt], [200, 'task', at, at])
  assert.deepEqual(rest, { status: 'working', ttlMs: null, pollIntervalMs: 1_000 })
  assert.match(taskId, /^task-[\w-]{24}$/)
  const looked = await about('tasks/get', taskId)
  assert.deepEqual(
    { ...looked.json.result, resultType: 'task', _meta },
    { resultType: 'task', taskId, createdAt, lastUpdatedAt, _meta, ...rest },
  )
  assert.equal(looked.json.result.resultType, 'complete')
  era.release()
  const done = await taskWhen(gateway, taskId, 'completed')
  assert.deepEqual(done.result.structuredContent, { why: 'released' })
  assert.ok(Number.isInteger(done.ttlMs) && done.ttlMs > 0)
})

test('each end of the work has its status', async () => {
  const well = await taskWhen(gateway, await begin('well'), 'completed')
  assert.deepEqual([well.result.resultType, well.result.structuredContent, well.result.isError], ['complete', { text: 'done' }, undefined])
  assert.deepEqual((await taskWhen(gateway, await begin('content'), 'completed')).result.content, [{ type: 'text', text: 'shown' }])
  // A tool's refusal is its answer; a tool's crash is a fault of the protocol.
  for (const [end, code] of [
    ['refused', 'ERA_REFUSED'],
    ['bad', 'BAD_REQUEST'],
  ]) {
    const { result, error } = await taskWhen(gateway, await begin(end as string), 'completed')
    assert.deepEqual([result.isError, result.structuredContent.code, error], [true, code, undefined])
  }
  const broken = await taskWhen(gateway, await begin('broken'), 'failed')
  assert.deepEqual(
    [broken.error.code, typeof broken.error.message, broken.result, broken.inputRequests],
    [-32603, 'string', undefined, undefined],
  )
  assert.equal(broken.statusMessage, broken.error.message)
  assert.doesNotMatch(JSON.stringify(broken), /a secret/)
})

test('a client that has not declared tasks waits for the answer, or is told what it lacks', async () => {
  for (const capabilities of [{}, ASKABLE, { tasks: {} }, { extensions: { [TASKS]: true } }]) {
    const { json } = await call(gateway, 'era_job', { end: 'well' }, { capabilities })
    assert.deepEqual([json.result.resultType, json.result.structuredContent], ['complete', { text: 'done' }])
    const refused = await call(gateway, 'era_long', {}, { capabilities })
    assert.deepEqual([refused.status, refused.json.error.code], [400, -32021])
    assert.deepEqual(refused.json.error.data, { requiredCapabilities: { extensions: { [TASKS]: {} } } })
  }
  assertTask(await call(gateway, 'era_long', {}, able))
})

test('what is no call of a tool cannot become a task, whatever the client can', async () => {
  const { json } = await ask(gateway, { method: 'resources/read', params: { uri: 'era://secret/detached' }, ...able })
  assert.deepEqual([json.error.code, json.error.data.code], [-31_000, 'INPUT_UNAVAILABLE'])
})

test('the hint of an earlier protocol version makes no task', async () => {
  const { json } = await call(gateway, 'era_echo', { id: 'x' }, { ...able, params: { task: { ttl: 60_000 } } })
  assert.deepEqual([json.result.resultType, json.result.structuredContent], ['complete', { args: { id: 'x' } }])
})

test('questions before it lets go are asked in rounds, and the task knows the answers', async () => {
  const { json } = await call(gateway, 'era_job', { end: 'asks first' }, able)
  assert.deepEqual([json.result.resultType, json.result.taskId], ['input_required', undefined])
  const params = { requestState: json.result.requestState, inputResponses: { user_name: accept({ name: 'Alice' }) } }
  const second = await call(gateway, 'era_job', { end: 'asks first' }, { ...able, params })
  assert.deepEqual([second.json.result.requestState, second.json.result.inputRequests], [undefined, undefined])
  assert.equal((await taskWhen(gateway, assertTask(second), 'completed')).result.structuredContent.text, 'Hello, Alice!')
})

test('a task that asks waits for tasks/update, and its handler goes on where it was', async () => {
  const runs = era.runs('era_job')
  const taskId = await begin('asks')
  const { inputRequests, result } = await taskWhen(gateway, taskId, 'input_required')
  assert.deepEqual([Object.keys(inputRequests), inputRequests.sure.method, result], [['sure'], 'elicitation/create', undefined])
  // Neither unknown keys nor an empty set answer it.
  assertAck(await update(taskId, { other: accept({}) }))
  assertAck(await update(taskId, {}))
  assert.equal((await about('tasks/get', taskId)).json.result.status, 'input_required')
  assertAck(await update(taskId, { sure: accept({ confirm: true }) }))
  const done = await taskWhen(gateway, taskId, 'completed')
  assert.deepEqual([done.result.structuredContent.text, done.inputRequests], ['sure: true', undefined])
  assertAck(await update(taskId, { sure: accept({ confirm: false }) }))
  assert.equal(era.runs('era_job') - runs, 1, 'a task runs once')
})

test('an answer that is none is -32602, and nothing of the update is taken', async () => {
  const taskId = await begin('asks two')
  for (let both = false; !both; ) both = Object.keys((await taskWhen(gateway, taskId, 'input_required')).inputRequests).length === 2
  for (const given of [undefined, null, [], { one: 7 }, { one: accept({ name: 'a' }), two: accept({ name: 7 }) }]) {
    assertUnknown(await update(taskId, given))
  }
  assert.deepEqual(Object.keys((await about('tasks/get', taskId)).json.result.inputRequests), ['one', 'two'])
  assertAck(await update(taskId, { one: accept({ name: 'a', more: true }) }))
  const partly = (await about('tasks/get', taskId)).json.result
  assert.deepEqual([partly.status, Object.keys(partly.inputRequests)], ['input_required', ['two']])
  assertAck(await update(taskId, { two: accept({ name: 'b' }) }))
  assert.equal((await taskWhen(gateway, taskId, 'completed')).result.structuredContent.text, 'a b')
})

test('what was answered once is not asked again in one task', async () => {
  const taskId = await begin('asks more')
  await taskWhen(gateway, taskId, 'input_required')
  assertAck(await update(taskId, { one: accept({ name: 'a' }) }))
  assert.deepEqual(Object.keys((await taskWhen(gateway, taskId, 'input_required')).inputRequests), ['two'])
  assertAck(await update(taskId, { two: accept({ name: 'b' }) }))
  assert.equal((await taskWhen(gateway, taskId, 'completed')).result.structuredContent.text, 'a a b')
})

test('an answer is not taken for one to another question under its key: the task fails, and its log says why', async () => {
  const taskId = await begin('asks anew')
  await taskWhen(gateway, taskId, 'input_required')
  assertAck(await update(taskId, { one: accept({ name: 'a' }) }))
  assert.equal((await taskWhen(gateway, taskId, 'failed')).error.code, -32603)
  assert.ok(gateway.logs.some(({ err }) => /under the key "one"/.test((err as Error | undefined)?.message ?? '')))
})

test('a task asks by what the call declared, not by what a later request does', async () => {
  const taskId = await begin('asks', { capabilities: { extensions: { [TASKS]: {} } } })
  const { error } = await taskWhen(gateway, taskId, 'failed')
  assert.deepEqual([error.code, error.data], [-32021, { requiredCapabilities: { elicitation: { form: {} } } }])
})

test('a cancelled task is cancelled at once, its work is told, and what the work then says is nobody’s', async () => {
  const taskId = assertTask(await call(gateway, 'era_wait', { detach: true }, able))
  await era.arrived(1)
  assertAck(await about('tasks/cancel', taskId))
  assert.equal((await about('tasks/get', taskId)).json.result.status, 'cancelled')
  await era.gone()
  const waiting = await begin('asks')
  await taskWhen(gateway, waiting, 'input_required')
  assertAck(await about('tasks/cancel', waiting))
  const { status, inputRequests, result, error } = (await about('tasks/get', waiting)).json.result
  assert.deepEqual([status, inputRequests, result, error], ['cancelled', undefined, undefined, undefined])
  // An ended task stays unchanged, however often it is cancelled.
  const done = await begin('well')
  await taskWhen(gateway, done, 'completed')
  for (const ended of [done, waiting, taskId]) assertAck(await about('tasks/cancel', ended))
  assert.equal((await about('tasks/get', done)).json.result.status, 'completed')
})

test('the end of its request does not end a task', async () => {
  const away = await open(gateway, {
    method: 'tools/call',
    params: { name: 'era_wait', arguments: { detach: true, tell: true } },
    meta: { progressToken: 1 },
    ...able,
  })
  const told = await away.rest()
  // Reports after the caller was released have no stream.
  assert.deepEqual([told.map(({ method }) => method), told.at(-1).result.resultType], [['notifications/progress', undefined], 'task'])
  away.disconnect()
  await era.arrived(1)
  for (let i = 0; i < 5; i++) await ask(gateway, { method: 'tools/list' })
  assert.equal(era.waiting.size, 1)
  era.release()
  assert.deepEqual((await taskWhen(gateway, told.at(-1).result.taskId, 'completed')).result.structuredContent, { why: 'released' })
})

test('without the capability in this very request: 400, -32021, before anything is looked up', async () => {
  const taskId = await begin('well')
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const id of [taskId, 'gate-test']) {
      const { status, json } = await about(method, id, { inputResponses: {} }, { capabilities: ASKABLE })
      assert.deepEqual([status, json.error.code, json.error.data], [400, -32021, { requiredCapabilities: { extensions: { [TASKS]: {} } } }])
    }
  }
})

test('for anyone but its caller a task does not exist, also for a caller of the same name in another tenant', async () => {
  const ann = { headers: await session(gateway, 'acme') }
  const taskId = await begin('asks', ann)
  await taskWhen(gateway, taskId, 'input_required', ann)
  const answer = { inputResponses: { sure: accept({ confirm: true }) } }
  for (const headers of [{}, await session(gateway, 'acme', 'bob', 'owner'), await session(gateway, 'other')]) {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) assertUnknown(await about(method, taskId, answer, { headers }))
  }
  assert.equal((await about('tasks/get', taskId, {}, ann)).json.result.status, 'input_required')
  assertAck(await about('tasks/update', taskId, answer, ann))
  await taskWhen(gateway, taskId, 'completed', ann)
  for (const unknown of ['tasks-nonexistent', '', 'x'.repeat(500)]) assertUnknown(await about('tasks/get', unknown))
  assertUnknown(await ask(gateway, { method: 'tasks/get', ...able, params: {} }))
})

test('a client that listens to its tasks receives each change, and the changes from before it listened', async () => {
  const ann = { ...able, headers: await session(gateway, 'acme') }
  const [theirs, ours] = [await begin('asks'), await begin('asks', ann)]
  const before = await taskWhen(gateway, ours, 'input_required', ann)
  const stream = await listen(gateway, { taskIds: [ours, theirs, 'none'] }, { ...ann, id: 'l' })
  const subscription = { 'io.modelcontextprotocol/subscriptionId': 'l' }
  assert.deepEqual((await stream.next()).params, { _meta: subscription, notifications: { taskIds: [ours] } })
  const { resultType: _type, _meta, ...task } = before
  assert.deepEqual(await stream.next(), { jsonrpc: '2.0', method: 'notifications/tasks', params: { _meta: subscription, ...task } })
  assertAck(await update(theirs, { sure: accept({ confirm: false }) }))
  assertAck(await update(ours, { sure: accept({ confirm: true }) }, ann))
  const told = [await stream.next(), await stream.next()]
  assert.deepEqual(
    told.map(({ params }) => [params.taskId, params.status, params.result?.structuredContent]),
    [
      [ours, 'working', undefined],
      [ours, 'completed', { text: 'sure: true' }],
    ],
  )
  stream.disconnect()
})

test('nobody waits for answers for ever: after an hour the task has failed', async () => {
  const taskId = await begin('asks')
  await taskWhen(gateway, taskId, 'input_required')
  gateway.clock.advance(3_599)
  assert.equal((await about('tasks/get', taskId)).json.result.status, 'input_required')
  gateway.clock.advance(1)
  const { status, error, inputRequests } = (await about('tasks/get', taskId)).json.result
  assert.deepEqual([status, error.code, inputRequests], ['failed', -32603, undefined])
})

test('an ended task is kept for a day from its end, as its ttl says', async () => {
  const taskId = await begin('well')
  const { createdAt, ttlMs } = await taskWhen(gateway, taskId, 'completed')
  gateway.clock.set(new Date(Date.parse(createdAt) + ttlMs - 1))
  assert.equal((await about('tasks/get', taskId)).json.result.status, 'completed')
  gateway.clock.advance(0.001)
  assertUnknown(await about('tasks/get', taskId))
})

test('the tasks of a suspended tenant are cancelled', async () => {
  await call(gateway, 'era_tenant', { subject: 'doomed', suspend: false })
  const doomed = { headers: await session(gateway, 'doomed') }
  assertTask(await call(gateway, 'era_wait', { detach: true }, { ...able, ...doomed }))
  await era.arrived(1)
  await call(gateway, 'era_tenant', { subject: 'doomed', suspend: true })
  await era.gone()
})
