import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { at, create, list, start } from './support.ts'

test('a schedule is stored as it was given, has never run, and is returned with its next run', async () => {
  await using gateway = await start()
  const given = { name: 'Daily', cronExpr: '30 9 * * *', kind: 'agent', target: 'writer', message: 'Write.', repo: 'web' }
  const { scheduleId, ...rest } = await create(gateway, { ...given, includeMemoryContext: true })
  assert.match(scheduleId, /^schedule-\w+$/)
  assert.deepEqual(rest, {
    ...given,
    includeMemoryContext: true,
    enabled: true,
    nextRun: at('09:30'),
    lastStatus: 'never',
    actsAs: { id: 'operator', role: 'operator' },
    createdAt: at('09:00'),
    updatedAt: at('09:00'),
  })
  await gateway.restart()
  assert.deepEqual(await list(gateway), [{ scheduleId, ...rest }])
})

test('enabled omitted means true, includeMemoryContext omitted means false', async () => {
  await using gateway = await start()
  const { enabled, includeMemoryContext } = await create(gateway)
  assert.deepEqual([enabled, includeMemoryContext], [true, false])
  assert.equal((await create(gateway, { enabled: false })).enabled, false)
})

test('the answer shows the next three times it fires', async () => {
  await using gateway = await start()
  const given = { name: 'x', cronExpr: '0 12 1 * *', kind: 'tool', target: 'ring' }
  const { nextRuns } = await gateway.call('schedules_create', given)
  assert.deepEqual(nextRuns, [at('12:00', '2026-02-01'), at('12:00', '2026-03-01'), at('12:00', '2026-04-01')])
})

test('a wrong cron expression is refused with the field that is wrong, and nothing is stored', async () => {
  await using gateway = await start()
  const wrong: [string, RegExp][] = [
    ['61 * * * *', /wrong minute.*"61"/],
    ['* * * * 9', /wrong day of week.*"9"/],
    ['* * * *', /five fields/],
    ['* * * * * *', /five fields/],
    ['0 0 31 2 *', /never fires/],
  ]
  for (const [cronExpr, says] of wrong) await assert.rejects(create(gateway, { cronExpr }), refusal('BAD_REQUEST', 'cronExpr', says))
  assert.deepEqual(await list(gateway), [])
})

test('what is wrong with an argument is said with its name, and nothing is stored', async () => {
  await using gateway = await start()
  const wrong: [object, string][] = [
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ cronExpr: undefined }, 'cronExpr'],
    [{ kind: undefined }, 'kind'],
    [{ kind: 'script' }, 'kind'],
    [{ target: undefined }, 'target'],
    [{ target: '' }, 'target'],
    [{ message: 7 }, 'message'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ message: 'ring it' }, 'message'],
    [{ message: '[1]' }, 'message'],
    [{ message: 'null' }, 'message'],
    [{ message: '"{}"' }, 'message'],
    [{ repo: 'web' }, 'repo'],
    [{ includeMemoryContext: true }, 'includeMemoryContext'],
    [{ kind: 'skill', repo: 'web' }, 'repo'],
    [{ kind: 'skill', includeMemoryContext: true }, 'includeMemoryContext'],
    [{ target: 'no_such_tool' }, 'target'],
  ]
  for (const [args, field] of wrong) await assert.rejects(create(gateway, args), refusal('BAD_REQUEST', field))
  assert.deepEqual(await list(gateway), [])
})

test('what came as the message of a tool is shown', async () => {
  await using gateway = await start()
  await assert.rejects(create(gateway, { message: '{text: 1}' }), refusal('BAD_REQUEST', 'message', /JSON object.*got "\{text: 1\}"/))
  await assert.rejects(create(gateway, { message: 'x'.repeat(500) }), refusal('BAD_REQUEST', 'message', /x{200}…/))
})

test('the arguments of a tool are bounded as those of a call are, so that every run is audited', async () => {
  // Takes any argument, like a tool with notes or attributes.
  const keep = defineTool({
    name: 'keep',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ notes: Type.Unknown() }, closed),
    output: Type.Object({}),
    handle: async () => ({}),
  })
  const plugin = definePlugin({ id: 'test-keep', sdk: '^1.0.0', description: 'For tests.', tools: [keep] })
  await using gateway = await start({ plugins: [plugin] })
  const nested = (depth: number) => `{"notes":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  for (const [message, says] of [
    [nested(10_000), /at most 100 levels/],
    [`{"notes":[${'1,'.repeat(20_000)}1]}`, /at most 20000 names and values/],
    ['{"notes":1e999}', /a double can hold/],
    ['{"notes":9007199254740993}', /a double holds exactly/],
  ] as const) {
    await assert.rejects(create(gateway, { target: 'keep', message }), refusal('BAD_REQUEST', 'message', says))
  }
  const { scheduleId } = await create(gateway, { target: 'keep', message: nested(100) })
  assert.equal((await gateway.call('schedules_run_now', { scheduleId })).schedule.lastStatus, 'success')
  assert.equal((await gateway.audit()).filter(({ tool }) => tool === 'keep').length, 1)
})

test('the kinds agent and skill take any message, and need no family to be created', async () => {
  await using gateway = await start()
  await create(gateway, { kind: 'agent', target: 'writer', message: 'Write.', repo: 'web', includeMemoryContext: true })
  await create(gateway, { kind: 'skill', target: 'summary', message: 'Sum up.' })
  assert.equal((await list(gateway)).length, 2)
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  await assert.rejects(create(gateway, {}, { as: { kind: 'user', role: 'member' } }), refusal('FORBIDDEN'))
  await create(gateway, {}, { as: { kind: 'user', role: 'admin' } })
})

test('over REST it answers 201', async () => {
  await using gateway = await start()
  const body = { name: 'x', cronExpr: '0 12 * * *', kind: 'tool', target: 'ring' }
  const { status, json } = await gateway.inject({ method: 'POST', url: '/api/schedules', body })
  assert.deepEqual([status, json().schedule.nextRun], [201, at('12:00')])
  const refused = await gateway.inject({ method: 'POST', url: '/api/schedules', body: { ...body, cronExpr: '99 * * * *' } })
  assert.deepEqual([refused.status, refused.json().code], [400, 'BAD_REQUEST'])
})
