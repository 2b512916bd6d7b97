import assert from 'node:assert/strict'
import { test } from 'node:test'
import budgets from '@gateway/plugin-budgets'
import fleet from '@gateway/plugin-fleet'
import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import traces from '@gateway/plugin-traces'
import trash from '@gateway/plugin-trash'
import { type Step, scriptedModel, WIRES } from './scripted-model.ts'
import { folder, member, start } from './support.ts'

const clerk = (tools: string, more = '') =>
  `---\nname: clerk\ncategory: ops\ndescription: Made for a test.\ntools: [${tools}]\n${more}---\n\nYou file things.\n`
const skill = '---\nname: filing\nagent: clerk\ndescription: Made for a test.\n---\n\nFile it.\n'
const work = [trash, tasks, mailbox, traces]
type Model = Awaited<ReturnType<typeof scriptedModel>>

interface Span {
  readonly name: string
  readonly parentName?: string
  readonly attributes: { readonly turn: number }
}

/** A gateway with the agent `clerk`, who is offered these tools, and this model. */
async function office(model: Model, tools: string, options: { config?: object; plugins?: never[]; env?: Record<string, string> } = {}) {
  const files = await folder({ 'agents/clerk.md': clerk(tools), 'skills/filing.md': skill })
  const agents = { dirs: [files.path] }
  const { config = {}, plugins = work, env = {} } = options
  const gateway = await start({ config: { ...model.config, agents, ...config }, plugins, env })
  return {
    gateway,
    invoke: (args: object = {}, as: object = member) => gateway.call('agents_invoke', { agent: 'clerk', message: 'Go.', ...args }, as),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}
const calls = (...made: Step['calls'] & object): Step => ({ text: 'One moment.', calls: made })

for (const wire of WIRES) {
  test(`${wire}: an agent reads tasks, writes a mail and answers, as its caller, and each call is a span`, async () => {
    await using model = await scriptedModel(wire, [
      calls(['tasks_list', { repo: 'web' }]),
      calls(['mail_send', { to: 'ann', subject: 'One task', body: 'Fix the door.' }]),
      { text: 'I told Ann of one task.' },
    ])
    await using our = await office(model, 'tasks_list, mail_send, Read, no_such_tool')
    const { task } = await our.gateway.call('tasks_create', { repo: 'web', title: 'Fix the door' }, member)
    const answer = await our.invoke()
    assert.deepEqual([answer.text, answer.stopReason, answer.turns], ['I told Ann of one task.', 'end', 3])
    assert.deepEqual(answer.toolCalls, [{ tool: 'tasks_list' }, { tool: 'mail_send' }])
    assert.deepEqual([answer.usage.inputTokens, answer.usage.outputTokens], [60, 15])
    assert.deepEqual(model.asked[0]?.tools, ['tasks_list', 'mail_send'])
    assert.equal(JSON.parse(model.asked[1]?.results[0]?.text ?? '').tasks[0].taskId, task.taskId)
    assert.match(model.asked[2]?.results[0]?.text ?? '', /"messageId":"mail-/)
    const { messages } = await our.gateway.call('mail_inbox', { to: 'ann' }, member)
    assert.deepEqual([messages[0].subject, messages[0].from], ['One task', 'ann'])
    const { spans } = await our.gateway.call('traces_list', { taskId: answer.traceId }, member)
    const made = spans.map(({ name, parentName, attributes }: Span) => [name, parentName, attributes.turn])
    assert.deepEqual(made.sort(), [
      ['agent clerk', undefined, 1],
      ['agent clerk', undefined, 2],
      ['agent clerk', undefined, 3],
      ['tool mail_send', 'agent clerk', 2],
      ['tool tasks_list', 'agent clerk', 1],
    ])
    const audited = (await our.gateway.audit('acme')).filter(({ tool }) => tool === 'mail_send')
    assert.equal(audited.length, 1)
  })

  test(`${wire}: a tool outside the allow list is not called, and the model is told so and goes on`, async () => {
    await using model = await scriptedModel(wire, [
      calls(['mail_send', { to: 'ann', body: 'x' }], ['tasks_list', {}], ['agents_invoke', { agent: 'clerk', message: 'Again.' }]),
      { text: 'Then not.' },
    ])
    await using our = await office(model, 'tasks_list, agents_invoke')
    const answer = await our.invoke()
    assert.deepEqual(model.asked[0]?.tools, ['tasks_list'], 'no agent starts agents')
    assert.deepEqual(answer.toolCalls, [
      { tool: 'mail_send', error: 'TOOL_NOT_OFFERED' },
      { tool: 'tasks_list' },
      { tool: 'agents_invoke', error: 'TOOL_NOT_OFFERED' },
    ])
    const [refused, listed] = model.asked[1]?.results ?? []
    assert.equal(JSON.parse(refused?.text ?? '').error.code, 'TOOL_NOT_OFFERED')
    assert.ok(JSON.parse(listed?.text ?? '').tasks)
    if (wire === 'anthropic') assert.deepEqual([refused?.isError, listed?.isError], [true, undefined])
    assert.deepEqual((await our.gateway.call('mail_inbox', { to: 'ann' }, member)).messages, [])
  })
}

test('arguments that do not parse, that the tool refuses, and a refusal of the tool itself go back to the model', async () => {
  await using model = await scriptedModel('openai', [
    calls(
      ['tasks_create', '{"repo": "web"'],
      ['tasks_create', '[]'],
      ['tasks_create', { repo: 'web' }],
      ['tasks_update', { taskId: 'task-none' }],
    ),
    { text: 'I give up.' },
  ])
  await using our = await office(model, 'tasks_create, tasks_update')
  const { toolCalls, text } = await our.invoke()
  const errors = toolCalls.map(({ error }: { error: string }) => error)
  assert.deepEqual([errors, text], [['BAD_ARGUMENTS', 'BAD_ARGUMENTS', 'BAD_REQUEST', 'NOT_FOUND'], 'I give up.'])
  const results = (model.asked[1]?.results ?? []).map((result) => JSON.parse(result.text).error)
  assert.match(results[2].message, /title/)
  assert.deepEqual((await our.gateway.call('tasks_list', {}, member)).tasks, [])
})

test('a tool whose call was cut off before its arguments is not called, and the model is told so', async () => {
  await using model = await scriptedModel('openai', [{ ...calls(['tasks_list', '']), stop: 'length' }, { text: 'Done.' }])
  await using our = await office(model, 'tasks_list')
  const { toolCalls } = await our.invoke()
  assert.deepEqual(toolCalls, [{ tool: 'tasks_list', error: 'BAD_ARGUMENTS' }])
  assert.match(model.asked[1]?.results[0]?.text ?? '', /cut off/)
})

test('a model cannot say that a person authorizes its call, however it writes it, although its caller is one', async () => {
  await using model = await scriptedModel('openai', (_asked, at) => {
    const change = { taskId: 'task-1', status: 'blocked' }
    const operations = [{ action: 'cancel', taskId: 'task-1', operatorAuthorized: true }]
    return at === 0
      ? calls(
          ['tasks_update', { ...change, operatorAuthorized: true }],
          ['tasks_update', { ...change, operatorAuthorized: 'true' }],
          ['tasks_bulk', { operations }],
          ['tasks_bulk', { operations: JSON.stringify(operations) }],
        )
      : { text: 'No.' }
  })
  await using our = await office(model, 'tasks_update, tasks_bulk')
  await our.invoke()
  const results = model.asked[1]?.results ?? []
  assert.equal(results.length, 4)
  for (const { text } of results) assert.match(text, /operatorAuthorized` may be given .* only; the caller is automated \(a model\)/)
})

test('the limit of turns ends an agent with what it said last, and the tools it still asks for are not called', async () => {
  await using model = await scriptedModel('openai', [calls(['mail_send', { to: 'ann', body: 'x' }])])
  const files = await folder({ 'agents/clerk.md': clerk('mail_send') })
  await using gateway = await start({ config: { ...model.config, agents: { dirs: [files.path], maxTurns: 3 } }, plugins: work })
  const answer = await gateway.call('agents_invoke', { agent: 'clerk', message: 'Go.' }, member)
  assert.deepEqual([answer.stopReason, answer.turns, answer.toolCalls.length, model.asked.length], ['turns', 3, 2, 3])
  assert.deepEqual([answer.limit.code, answer.text], ['MAX_TURNS', 'One moment.'])
  assert.equal((await gateway.call('mail_inbox', { to: 'ann' }, member)).messages.length, 2)
  await files[Symbol.asyncDispose]()
})

test('a cap that is reached in the middle ends an agent with a result that names it; reached before, it refuses the call', async () => {
  const prices = { large: { inputPerMTok: 1_000, outputPerMTok: 0 }, middle: { inputPerMTok: 1_000, outputPerMTok: 0 } }
  await using model = await scriptedModel('openai', [calls(['mail_send', { to: 'ann', body: 'x' }])], { prices })
  const config = { budgets: { monthlyCapUsd: 0.01, downgradeAt: 1 } }
  await using our = await office(model, 'mail_send', { config, plugins: [...work, budgets] as never[] })
  const answer = await our.invoke({ maxTokens: 10 })
  assert.deepEqual([answer.stopReason, answer.turns, answer.text], ['budget', 1, 'One moment.'])
  assert.deepEqual([answer.limit.code, answer.limit.details.cap], ['BUDGET_EXCEEDED', 'monthlyCapUsd'])
  assert.deepEqual(answer.toolCalls, [{ tool: 'mail_send' }])
  await assert.rejects(our.invoke(), { code: 'BUDGET_EXCEEDED' })
  assert.equal(model.asked.length, 1)
})

test('a tool that the role of the caller may not call is neither offered nor called; a role that may not work asks no model', async () => {
  const script = [calls(['fleet_maintenance_enter', { reason: 'x' }]), { text: 'Not allowed.' }]
  await using model = await scriptedModel('openai', script)
  await using our = await office(model, 'tasks_list, fleet_maintenance_enter', {
    plugins: [...work, fleet] as never[],
    env: { RBAC_ENFORCE: '1' },
  })
  const { toolCalls } = await our.invoke()
  assert.deepEqual(model.asked[0]?.tools, ['tasks_list'])
  assert.deepEqual(toolCalls, [{ tool: 'fleet_maintenance_enter', error: 'TOOL_NOT_OFFERED' }])
  const owner = { as: { ...member.as, role: 'owner' } }
  await our.invoke({}, owner)
  assert.deepEqual(model.asked.at(-1)?.tools, ['tasks_list', 'fleet_maintenance_enter'])
  const before = model.asked.length
  await assert.rejects(our.invoke({}, { as: { ...member.as, role: 'viewer' } }), { code: 'FORBIDDEN' })
  assert.equal(model.asked.length, before)
})

test('results are cut to what a model reads, with how much is missing, and only sixteen tools of an answer are called', async () => {
  const many = Array.from({ length: 17 }, () => ['tasks_list', { limit: 50 }] as const)
  await using model = await scriptedModel('openai', [calls(...many), { text: 'Much.' }])
  await using our = await office(model, 'tasks_list')
  for (let n = 0; n < 4; n++)
    await our.gateway.call('tasks_create', { repo: 'web', title: 'Long', description: 'x'.repeat(20_000) }, member)
  const { toolCalls } = await our.invoke()
  const texts = (model.asked[1]?.results ?? []).map(({ text }) => text)
  assert.match(texts[0] ?? '', /\[Cut: 20000 of 8\d{4} characters/)
  assert.ok(texts.join('').length < 220_000)
  assert.deepEqual([toolCalls.length, toolCalls[15].error, toolCalls[16].error], [17, undefined, 'TOO_MANY_CALLS'])
})

test('a caller that leaves ends the agent: no further model and no further tool is called', async () => {
  const leaving = new AbortController()
  await using model = await scriptedModel('openai', () => {
    leaving.abort(new Error('gone'))
    return calls(['mail_send', { to: 'ann', body: 'x' }])
  })
  await using our = await office(model, 'mail_send')
  await assert.rejects(our.invoke({}, { ...member, signal: leaving.signal }))
  assert.equal(model.asked.length, 1)
  assert.deepEqual((await our.gateway.call('mail_inbox', { to: 'ann' }, member)).messages, [])
})

test('a skill is offered the tools of its agent', async () => {
  await using model = await scriptedModel('anthropic', [calls(['tasks_list', '']), { text: 'Filed.' }])
  await using our = await office(model, 'tasks_list')
  const answer = await our.gateway.call('skills_invoke', { skill: 'filing', message: 'Go.' }, member)
  assert.deepEqual([answer.text, answer.toolCalls, model.asked[0]?.tools], ['Filed.', [{ tool: 'tasks_list' }], ['tasks_list']])
  assert.match(model.asked[0]?.system ?? '', /^File it\.\n\n# Rules/)
})
