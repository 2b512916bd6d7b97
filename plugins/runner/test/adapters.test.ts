import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeGeminiHome } from '../src/operations/gemini-home.ts'
import { adapters } from '../src/rules/adapters.ts'
import { windowsOfConversation } from '../src/rules/codex-windows.ts'
import { readingOf, windowsOf, withRetry } from '../src/rules/reading.ts'
import type { ADAPTERS } from '../src/schema.ts'

const limits = { minutes: 1, setupMinutes: 1, checkMinutes: 1, turns: 7, usd: 2.5, logLines: 10 }
const order = (adapter: (typeof ADAPTERS)[number], more: object = {}) => ({
  task: { taskId: 'task-1', repo: 'web', title: 'A task', status: 'working', description: 'echo hello' },
  agent: { adapter, ...more },
  limits,
  sessionId: 'c0ffee00-0000-4000-8000-000000000000',
  worktree: '/w',
  folder: '/f',
  resultFile: '/r',
  messageFile: '/m',
})
function read(adapter: (typeof ADAPTERS)[number], lines: readonly (object | string)[], exitCode = 0, files: object = {}) {
  const reader = adapters[adapter].reader()
  for (const line of lines) reader.line(typeof line === 'string' ? line : JSON.stringify(line))
  return reader.report(files, exitCode)
}

test('claude runs in print mode under its limits, and reports model, session, tokens and cost', () => {
  assert.deepEqual(
    adapters.claude.command(order('claude', { model: 'opus', args: ['--add-dir', '/x'] })).join(' '),
    'claude -p --output-format stream-json --verbose --permission-mode bypassPermissions --session-id c0ffee00-0000-4000-8000-000000000000 --max-turns 7 --max-budget-usd 2.5 --model opus --add-dir /x',
  )
  const report = read('claude', [
    { type: 'system', subtype: 'init', session_id: 's-1', model: 'claude-a' },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done.',
      total_cost_usd: 0.25,
      usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 11 },
      modelUsage: { 'claude-b': { outputTokens: 1 }, 'claude-a': { outputTokens: 4 } },
    },
  ])
  assert.deepEqual(report, {
    provider: 'anthropic',
    sessionId: 's-1',
    model: 'claude-a',
    text: 'Done.',
    stop: 'end',
    usage: { inputTokens: 3, outputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 11, usd: 0.25 },
  })
})

test('claude’s ends are told apart: limit of turns, quota, credential, no result', () => {
  const stop = (result: object, code = 1) => read('claude', [{ type: 'result', is_error: true, ...result }], code)
  assert.equal(stop({ subtype: 'error_max_turns' }).stop, 'turns')
  assert.equal(stop({ subtype: 'error_max_budget_usd' }).stop, 'budget')
  const quota = stop({ subtype: 'success', result: 'Claude usage limit reached, resets in 2 hours 5 minutes' })
  assert.deepEqual([quota.stop, quota.retryAfterSeconds], ['quota', 7_500])
  assert.equal(stop({ subtype: 'success', result: 'Invalid API key · Please run /login' }).stop, 'auth')
  assert.equal(read('claude', [], 1).stop, 'error')
})

test('claude’s quotas are read as the program tells them for a subscription', () => {
  const told = {
    five_hour: { utilization: 0.425, resetsAt: 1_795_752_384, status: 'allowed' },
    seven_day: { utilization: 0.17, resetsAt: 1_796_007_984 },
  }
  const event = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed', rateLimitType: 'five_hour', unifiedWindows: told } }
  const { windows } = read('claude', [event, { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }])
  assert.deepEqual(windows, {
    fiveHour: { usedPct: 42.5, resetsAt: 1_795_752_384_000 },
    weekly: { usedPct: 17, resetsAt: 1_796_007_984_000 },
  })
})

test('a task waits for the reset that claude tells of a used-up quota, whose message names the hour alone', () => {
  const rejected = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 7_200 } }
  const result = { type: 'result', subtype: 'success', is_error: true, result: "You've hit your 5-hour limit · resets 4:40am (UTC)" }
  const report = withRetry(read('claude', [rejected, result], 1), 1_000)
  assert.deepEqual([report.stop, report.retryAfterSeconds], ['quota', 7_199])
  assert.deepEqual(windowsOf(report, 1_000), { fiveHour: { usedPct: 100, resetsAt: 7_200_000 } })
  assert.equal(withRetry(read('claude', [rejected, { ...result, is_error: false }]), 1_000).retryAfterSeconds, undefined)
})

test('a used-up quota that tells only its reset fills the window that can end then', () => {
  const quota = (retryAfterSeconds?: number) => windowsOf({ stop: 'quota', usage: {}, ...(retryAfterSeconds && { retryAfterSeconds }) }, 0)
  assert.deepEqual(quota(7_200), { fiveHour: { usedPct: 100, resetsAt: 7_200_000 } })
  assert.deepEqual(quota(86_400), { weekly: { usedPct: 100, resetsAt: 86_400_000 } })
  assert.deepEqual(quota(), {})
  assert.equal(readingOf('max-1', 'm1', {}, 0), undefined)
})

test('codex runs without a terminal, and adds up the tokens of its turns', () => {
  assert.equal(
    adapters.codex.command(order('codex', { model: 'gpt' })).join(' '),
    'codex exec --json --cd /w --sandbox workspace-write --output-last-message /m --model gpt -',
  )
  const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 }
  const report = read(
    'codex',
    [
      { type: 'thread.started', thread_id: 't-1' },
      { type: 'item.completed', item: { type: 'agent_message', text: 'Half way.' } },
      { type: 'turn.completed', usage },
      { type: 'turn.completed', usage },
    ],
    0,
    { message: 'All done.\n' },
  )
  assert.deepEqual(report, {
    provider: 'openai',
    sessionId: 't-1',
    stop: 'end',
    text: 'All done.',
    usage: { inputTokens: 12, cacheReadTokens: 8, outputTokens: 4 },
  })
  const failed = read('codex', [{ type: 'turn.failed', error: { message: "You've hit your usage limit. Try again in 30 minutes." } }], 1)
  assert.deepEqual([failed.stop, failed.retryAfterSeconds], ['quota', 1_800])
})

test('codex’s quotas are read from the last event of its conversation that has them, by the lengths of the windows', () => {
  const at = Date.parse('2026-01-06T09:00:00.000Z')
  const seconds = (ms: number) => (at + ms) / 1_000
  const event = (limits: object) =>
    JSON.stringify({ timestamp: new Date(at).toISOString(), type: 'event_msg', payload: { type: 'token_count', rate_limits: limits } })
  const primary = { used_percent: 23.5, window_minutes: 300, resets_at: seconds(3_600_000) }
  const secondary = { used_percent: 41, window_minutes: 10_080, resets_at: seconds(86_400_000) }
  const text = [
    event({ primary: { ...primary, used_percent: 1 } }),
    event({ primary: secondary, secondary: primary }),
    event({}),
    '{"type":',
  ].join('\n')
  assert.deepEqual(windowsOfConversation(text), {
    fiveHour: { usedPct: 23.5, resetsAt: at + 3_600_000 },
    weekly: { usedPct: 41, resetsAt: at + 86_400_000 },
  })
  const far = event({ primary: { ...primary, resets_at: seconds(86_400_000) }, secondary: { used_percent: -1, window_minutes: 10_080 } })
  assert.deepEqual(windowsOfConversation(far), { fiveHour: { usedPct: 23.5 } })
  assert.equal(windowsOfConversation('no conversation'), undefined)
})

test('gemini’s answer is read from its one JSON object', () => {
  assert.equal(adapters.gemini.command(order('gemini')).join(' '), 'gemini --output-format json --approval-mode yolo')
  const answer = { response: 'Done.', stats: { models: { 'gemini-pro': { tokens: { prompt: 9, cached: 2, candidates: 3 } } } } }
  assert.deepEqual(read('gemini', ['Loaded credentials.', ...JSON.stringify(answer, null, 2).split('\n')]), {
    provider: 'google',
    stop: 'end',
    text: 'Done.',
    model: 'gemini-pro',
    usage: { inputTokens: 7, cacheReadTokens: 2, outputTokens: 3 },
  })
  assert.equal(read('gemini', [], 53).stop, 'turns')
  assert.equal(read('gemini', [{ error: { message: 'Quota exceeded' } }], 1).stop, 'quota')
})

const gateway = { mcpUrl: 'http://127.0.0.1:9/mcp', mcpFile: '/m.json', env: { GATEWAY_API_KEY: 'k' } }
test('each agent gets the gateway as its MCP server, with the key of the run', () => {
  assert.match(adapters.claude.command({ ...order('claude'), gateway }).join(' '), / --mcp-config \/m\.json --strict-mcp-config$/)
  assert.match(
    adapters.codex.command({ ...order('codex'), gateway }).join(' '),
    / -c mcp_servers\.gateway\.url="http:\/\/127\.0\.0\.1:9\/mcp" -c mcp_servers\.gateway\.bearer_token_env_var="GATEWAY_API_KEY" -$/,
  )
  assert.deepEqual(adapters.gemini.ownEnv?.(order('gemini')), { GEMINI_CLI_HOME: '/f', GEMINI_CLI_TRUST_WORKSPACE: 'true' })
})

test('the home of gemini is the user’s own, with the gateway among its servers', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-home-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'user', '.gemini'), { recursive: true })
  writeFileSync(join(folder, 'user', '.gemini', 'settings.json'), JSON.stringify({ theme: 'Dark', mcpServers: { mine: { command: 'x' } } }))
  writeFileSync(join(folder, 'user', '.gemini', 'oauth_creds.json'), 'kept')
  await makeGeminiHome(folder, { url: 'http://127.0.0.1:9', apiKey: 'k', address: 'task-1' }, { HOME: join(folder, 'user') })
  const read = (name: string) => readFileSync(join(folder, '.gemini', name), 'utf8')
  assert.equal(read('oauth_creds.json'), 'kept')
  assert.deepEqual(JSON.parse(read('settings.json')), {
    theme: 'Dark',
    mcpServers: { mine: { command: 'x' }, gateway: { httpUrl: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer k' } } },
  })
})

test('a shell agent reports by its result file, else by its exit code and last line', () => {
  assert.deepEqual(adapters.shell.command(order('shell', { command: 'my-agent "$1"', args: ['x'] })), [
    'sh',
    '-c',
    'my-agent "$1"',
    'agent',
    'x',
  ])
  assert.deepEqual(read('shell', [], 0, { result: 'summary=Did it.\nmodel=m\nusd=0.5\noutputTokens=9\nprUrl=https://forge.test/1\n' }), {
    text: 'Did it.',
    stop: 'end',
    model: 'm',
    prUrl: 'https://forge.test/1',
    usage: { outputTokens: 9, usd: 0.5 },
  })
  const failed = { text: 'no luck', stop: 'error', usage: {} }
  assert.deepEqual(read('shell', ['no luck', ''], 4), { ...failed, error: 'it ended with exit code 4: no luck' })
  assert.deepEqual(read('shell', ['no luck'], 4, { result: 'error=It broke.' }), { ...failed, error: 'It broke.' })
  assert.equal(read('shell', ['try later'], 1, { result: 'stop=quota' }).error, 'try later')
})
