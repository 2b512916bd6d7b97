import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { agentProgram, type Program } from './agent-programs.ts'
import { program as gatewayProgram, until } from './fleet.ts'
import { type MockModel, QUOTAS, SAYS, startMockModel, USED } from './mock-model.ts'
import { type Bench, benches } from './support.ts'

const bench = benches()

interface Setting {
  readonly agent: object
  readonly env: Readonly<Record<string, string>>
  readonly name: string
}
const codexProvider = ({ url }: MockModel): string[] =>
  [
    'model_provider="mock"',
    'model_providers.mock.name="mock"',
    `model_providers.mock.base_url="${url}/v1"`,
    'model_providers.mock.env_key="OPENAI_API_KEY"',
    'model_providers.mock.wire_api="responses"',
  ].flatMap((setting) => ['-c', setting])

const settings: Readonly<Record<Program, (folder: string, model: MockModel) => Setting>> = {
  claude: (folder, model) => ({
    agent: { env: ['IS_SANDBOX', 'DISABLE_AUTOUPDATER'], model: 'claude-sonnet-4-5' },
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-mock-key-of-the-test',
      CLAUDE_CONFIG_DIR: join(folder, 'claude'),
      // The program refuses to work without asking for the user root, except in a sandbox.
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    name: 'claude-sonnet-4-5',
  }),
  codex: (folder, model) => ({
    agent: {
      model: 'gpt-5',
      args: codexProvider(model),
    },
    env: { OPENAI_API_KEY: 'sk-mock-key-of-the-test', CODEX_HOME: folder },
    name: 'gpt-5',
  }),
  gemini: (_folder, model) => ({
    agent: { model: 'gemini-2.5-pro' },
    env: { GEMINI_API_KEY: 'mock-key-of-the-test', GOOGLE_GEMINI_BASE_URL: model.url },
    name: 'gemini-2.5-pro',
  }),
}

for (const [name, setting] of Object.entries(settings) as [Program, (typeof settings)[Program]][]) {
  test(`${name} takes the flags of its adapter, has the gateway as MCP server, and its report is read`, async (t) => {
    const program = agentProgram(name)
    if ('missing' in program) return t.skip(program.missing)
    const model = await startMockModel()
    t.after(() => model.stop())
    const agents = { own: { adapter: name, command: program.path } }
    const b = await bench(t, { agents, lanes: { primary: { agents: { '*': 'own' } } }, limits: { minutes: 3, usd: 5 } })
    const { agent, env, name: modelName } = setting(b.folder, model)
    b.configure({ agents: { own: { ...agents.own, ...agent } } })
    Object.assign(b.env, env)
    const taskId = await b.task('Say that you are done.')
    const { code, stdout, stderr } = await b.once()
    assert.equal(code, 0, stdout + stderr)
    const task = await b.get(taskId)
    assert.deepEqual([task.status, task.noopDispatch], ['review', true])
    assert.match(task.notes, new RegExp(SAYS))
    const [job] = (await b.gateway.call('job_history_search', { taskId })).jobs
    assert.equal(job.model.startsWith(modelName), true, job.model)
    assert.equal(job.usage.outputTokens >= USED.output, true, JSON.stringify(job.usage))
    assert.equal(job.usage.cacheReadTokens >= USED.cached, true, JSON.stringify(job.usage))
    assert.ok(model.asked.some((body) => body.includes('Say that you are done.')))
    // Some programs name deferred tools in a message and not among the tools.
    assert.ok([...model.tools, ...model.asked].some((text) => text.includes('artifacts_register')))
  })
}

const quotasOf = async ({ gateway }: Bench, name: string): Promise<(number | null)[] | undefined> => {
  const { accounts } = await gateway.call('account_usage_status', {})
  const found = accounts.find(({ account }: { account: string }) => account === name)
  return found && [found.fiveHour.usedPct, found.weekly.usedPct]
}

for (const { what, usedUp, ends, fiveHour } of [
  { what: 'quotas that claude tells of a subscription are', usedUp: false, ends: { status: 'review' }, fiveHour: QUOTAS.fiveHourPct },
  {
    what: 'a quota that claude has used up returns the task until its reset, without a failed try, and is',
    usedUp: true,
    ends: { status: 'pending', pacingDeferCount: 1 },
    fiveHour: 100,
  },
]) {
  test(`${what} recorded for the account of the lane`, async (t) => {
    const program = agentProgram('claude')
    if ('missing' in program) return t.skip(program.missing)
    const model = await startMockModel({ usedUp })
    t.after(() => model.stop())
    const { agent, env } = settings.claude('', model)
    const agents = { own: { adapter: 'claude', command: program.path, ...agent } }
    const account = `max-${fiveHour}`
    const b = await bench(t, { agents, lanes: { primary: { agents: { '*': 'own' }, account } }, limits: { minutes: 3 } })
    b.gateway.clock.set(new Date())
    const { ANTHROPIC_API_KEY: _key, ...rest } = env
    Object.assign(b.env, rest, { CLAUDE_CONFIG_DIR: join(b.folder, 'claude'), CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-mock-of-the-test' })
    const taskId = await b.task('Say that you are done.')
    const { code, stdout, stderr } = await b.once()
    assert.equal(code, 0, stdout + stderr)
    assert.deepEqual(await quotasOf(b, account), [fiveHour, QUOTAS.weeklyPct])
    const { status, retryCount, pacingDeferCount, nextRetryAt } = await b.get(taskId)
    assert.deepEqual([status, retryCount, pacingDeferCount], [ends.status, undefined, ends.pacingDeferCount])
    const hour = 3_600_000
    if (usedUp) assert.ok(Math.abs(Date.parse(nextRetryAt) - Date.now() - hour) < hour / 6, nextRetryAt)
  })
}

test('codex runs the hook that gateway connect writes, which records the quotas of its account', async (t) => {
  const program = agentProgram('codex')
  if ('missing' in program) return t.skip(program.missing)
  const model = await startMockModel()
  t.after(() => model.stop())
  const b = await bench(t)
  b.gateway.clock.set(new Date())
  const run = promisify(execFile)
  const place = { cwd: b.repo, env: { ...b.env, OPENAI_API_KEY: 'sk-mock-key-of-the-test' } }
  await run(process.execPath, [gatewayProgram, 'connect', 'codex', '--url', b.gateway.url, '--account', 'pro-1'], place)
  const trusted = '--dangerously-bypass-hook-trust'
  const asking = run(program.path, ['exec', trusted, '--model', 'gpt-5', ...codexProvider(model), 'Say that you are done.'], place)
  asking.child.stdin?.end()
  await asking
  const quotas = await until('the quotas are recorded', 60, () => quotasOf(b, 'pro-1'))
  assert.deepEqual(quotas, [QUOTAS.fiveHourPct, QUOTAS.weeklyPct])
})

test('quotas that codex keeps in its conversation are recorded for the account of the lane', async (t) => {
  const program = agentProgram('codex')
  if ('missing' in program) return t.skip(program.missing)
  const model = await startMockModel()
  t.after(() => model.stop())
  const agents = { own: { adapter: 'codex', command: program.path, model: 'gpt-5', args: codexProvider(model) } }
  const b = await bench(t, { agents, lanes: { primary: { agents: { '*': 'own' }, account: 'pro-2' } }, limits: { minutes: 3 } })
  b.gateway.clock.set(new Date())
  Object.assign(b.env, { OPENAI_API_KEY: 'sk-mock-key-of-the-test', CODEX_HOME: b.folder })
  await b.task('Say that you are done.')
  const { code, stdout, stderr } = await b.once()
  assert.equal(code, 0, stdout + stderr)
  assert.deepEqual(await quotasOf(b, 'pro-2'), [QUOTAS.fiveHourPct, QUOTAS.weeklyPct])
})
