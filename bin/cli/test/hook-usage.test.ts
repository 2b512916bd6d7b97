import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { accountName } from '../src/hook/account.ts'
import { keepReading } from '../src/hook/readings.ts'
import { windowsOfConversation, windowsOfStatus } from '../src/hook/windows.ts'
import { spawnProgram, temporaryFolder } from './cli-fixture.ts'

const program = join(import.meta.dirname, '../../../bin/gateway.js')
const HOUR_S = 3_600

/** Input of a status line, as Claude Code 2.1 writes it for an account with a subscription. */
const status = (now: number, more: object = {}) => ({
  hook_event_name: 'Status',
  session_id: 's-1',
  cwd: '/',
  model: { id: 'claude-opus-4-6', display_name: 'Opus 4.6' },
  version: '2.1.332',
  cost: { total_cost_usd: 0.5 },
  rate_limits: {
    five_hour: { used_percentage: 23.5, resets_at: now + 2 * HOUR_S },
    seven_day: { used_percentage: 41.2, resets_at: now + 90 * HOUR_S },
    ...more,
  },
})

/** A line of a conversation, as Codex 0.171 writes it after a call of the model. */
const tokenCount = (at: Date, primary: object | null, secondary: object | null) =>
  JSON.stringify({
    timestamp: at.toISOString(),
    ordinal: 12,
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7 }, model_context_window: 258_400 },
      rate_limits: { limit_id: 'codex', limit_name: null, primary, secondary, credits: null, plan_type: null },
    },
  })

async function run(args: readonly string[], input: object, env: Record<string, string>): Promise<string> {
  const child = spawnProgram(program, ['hook', ...args], env)
  child.stdin?.end(JSON.stringify(input))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, 'exit')])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

async function setting(t: TestContext, settings: Record<string, string> = {}) {
  const service = await startTestGateway({ plugins: standardPlugins, listen: true, env: settings })
  t.after(() => service.stop())
  service.clock.set(new Date())
  const home = await temporaryFolder(t)
  const env = { GATEWAY_URL: service.url, HOME: home, GATEWAY_HOOK_TIMEOUT_MS: '60000' }
  /** The status of an account as soon as its readings are there, and were noted as sent. */
  const account = async (name: string) => {
    for (const end = Date.now() + 60_000; Date.now() < end; await delay(50)) {
      const { accounts } = (await service.call('account_usage_status', {})) as { accounts: { account: string; fiveHour: object }[] }
      const found = accounts.find((one) => one.account === name)
      const folder = join(home, '.local/state/gateway/usage')
      const kept = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8').catch(() => '')))
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
      if (found && kept.every((one) => !one.includes('"waiting"'))) return found as any
    }
    throw new Error(`timed out: ${name} has a reading`)
  }
  return { service, home, env, account }
}

test('the status line of Claude Code shows the quotas of its account and records them', async (t) => {
  const { service, env, account, home } = await setting(t)
  await writeFile(join(home, '.claude.json'), JSON.stringify({ oauthAccount: { emailAddress: 'ada@example.org' } }))
  const now = Math.floor(Date.now() / 1_000)
  const claude = { ...env, CLAUDECODE: '1' }
  assert.equal(await run(['status-line'], status(now), claude), 'Opus 4.6 · 5 h 24% · week 41%\n')
  const { fiveHour, weekly } = await account('ada@example.org')
  assert.deepEqual(
    [fiveHour.usedPct, fiveHour.source, fiveHour.resetsAt],
    [23.5, 'real', new Date((now + 2 * HOUR_S) * 1_000).toISOString()],
  )
  assert.deepEqual([weekly.usedPct, weekly.resetsAt], [41.2, new Date((now + 90 * HOUR_S) * 1_000).toISOString()])

  // A command of the user makes the line, from the same input, and the quotas are recorded all the same.
  const own = ['status-line', '--account', 'max-1', '--line', 'grep -o "2.1.332"']
  const used = status(now, { five_hour: { used_percentage: 100, resets_at: now + HOUR_S } })
  assert.equal(await run(own, used, claude), '2.1.332\n')
  assert.equal((await account('max-1')).fit, 'exhausted')
  const { acquired, reason } = await service.call('runner_lease_acquire', { holder: 'm1/a', slots: 1, account: 'max-1' })
  assert.equal(acquired, false)
  assert.match(reason, /max-1 has used up its quota/)
})

test('the hook of Codex records the quotas that its conversation last named', async (t) => {
  const { env, account, home } = await setting(t)
  const now = Math.floor(Date.now() / 1_000)
  const rollout = join(home, 'rollout.jsonl')
  const window = (used: number, minutes: number, hours: number) => ({
    used_percent: used,
    window_minutes: minutes,
    resets_at: now + hours * HOUR_S,
  })
  const lines = [
    tokenCount(new Date((now - 60) * 1_000), window(12, 300, 3), window(16, 10_080, 72)),
    tokenCount(new Date(now * 1_000), window(42.5, 300, 3), window(17, 10_080, 72)),
    tokenCount(new Date(now * 1_000), null, null),
    JSON.stringify({ timestamp: new Date(now * 1_000).toISOString(), type: 'event_msg', payload: { type: 'task_complete' } }),
  ]
  await writeFile(rollout, `${lines.join('\n')}\n`)
  const input = { session_id: 's-1', turn_id: 't-1', transcript_path: rollout, cwd: '/', hook_event_name: 'Stop', stop_hook_active: false }
  assert.equal(await run(['turn-end'], input, { ...env, CODEX_MANAGED_PACKAGE_ROOT: '/x' }), '')
  const { fiveHour, weekly } = await account('codex')
  assert.deepEqual([fiveHour.usedPct, weekly.usedPct], [42.5, 17])
})

test('a key that may only read is refused once in ten minutes, and the host is told nothing', async (t) => {
  const { service, env, home } = await setting(t, { RBAC_ENFORCE: 'on' })
  await service.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const { apiKey } = await service.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const viewer = { ...env, GATEWAY_API_KEY: apiKey, CLAUDECODE: '1' }
  const now = Math.floor(Date.now() / 1_000)
  assert.equal(await run(['status-line', '--account', 'max-1'], status(now), viewer), 'Opus 4.6 · 5 h 24% · week 41%\n')
  assert.equal(await run(['send'], {}, viewer), '')
  const folder = join(home, '.local/state/gateway/usage')
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const { sent, waiting, nextTryAt } = JSON.parse(await readFile(join(folder, file), 'utf8'))
  assert.deepEqual([sent, waiting], [undefined, undefined])
  assert.ok(nextTryAt > Date.now() + 9 * 60_000)
})

test('a host without quotas, a file that is gone and a gateway that is not reached cost a host nothing', async (t) => {
  const home = await temporaryFolder(t)
  const env = { GATEWAY_URL: 'http://127.0.0.1:9', HOME: home }
  assert.equal(await run(['status-line'], { model: { display_name: 'Sonnet' } }, env), 'Sonnet\n')
  assert.equal(await run(['status-line'], { ...status(Date.now() / 1_000) }, env), 'Opus 4.6 · 5 h 24% · week 41%\n')
  assert.equal(await run(['turn-end'], { transcript_path: join(home, 'gone.jsonl') }, env), '')
})

test('figures that have not changed are sent again after ten minutes, changed ones at most every ten seconds', async (t) => {
  const env = { HOME: await temporaryFolder(t) }
  const now = Date.parse('2026-05-05T10:00:00Z')
  const at = (seconds: number, usedPct: number) => ({ at: new Date(now + seconds * 1_000).toISOString(), fiveHour: { usedPct } })
  const keep = (seconds: number, usedPct: number) => keepReading('max-1', at(seconds, usedPct), now + seconds * 1_000, env)
  assert.equal(keep(0, 10), true)
  assert.equal(keep(5, 12), false)
  assert.equal(keep(11, 12.2), true)
  const folder = join(env.HOME, '.local/state/gateway/usage')
  const [file = ''] = await readdir(folder)
  await writeFile(join(folder, file), JSON.stringify({ account: 'max-1', sent: at(11, 12.2), nextTryAt: now + 21_000 }))
  assert.equal(keep(60, 12.9), false)
  assert.equal(keep(61, 13), true)
  await writeFile(join(folder, file), JSON.stringify({ account: 'max-1', sent: at(11, 12.2), nextTryAt: now + 21_000 }))
  assert.equal(keep(612, 12.2), true)
  // The key of a task may not record them, so they wait for a session of the user.
  assert.equal(keepReading('max-2', at(0, 50), now, { ...env, GATEWAY_TASK_ID: 'task-1' }), false)
  assert.equal(keepReading('max-2', at(1, 50), now + 1_000, env), true)
})

test('figures that are no percentages, or of a window that has ended, are left out; a reset too far away is not believed', async (t) => {
  const now = new Date('2026-05-05T10:00:00Z')
  const seconds = now.getTime() / 1_000
  const limits = (five: object, week?: object) => windowsOfStatus({ five_hour: five, seven_day: week }, now)
  assert.equal(windowsOfStatus(undefined, now), undefined)
  assert.equal(limits({ used_percentage: '50' }), undefined)
  assert.equal(limits({ used_percentage: -1 }), undefined)
  assert.equal(limits({ used_percentage: 99, resets_at: seconds - 1 }), undefined)
  assert.deepEqual(
    limits({ used_percentage: 5, resets_at: seconds + 7 * HOUR_S }, { used_percentage: 6, resets_at: seconds + 100 * HOUR_S }),
    {
      at: now.toISOString(),
      fiveHour: { usedPct: 5 },
      weekly: { usedPct: 6, resetsAt: '2026-05-09T14:00:00.000Z' },
    },
  )
  // Some plans of Codex have the weekly window alone.
  const file = join(await temporaryFolder(t), 'rollout.jsonl')
  await writeFile(file, tokenCount(now, { used_percent: 30, window_minutes: 10_080, resets_at: seconds + HOUR_S }, null))
  assert.deepEqual(windowsOfConversation(file, now), {
    at: now.toISOString(),
    weekly: { usedPct: 30, resetsAt: '2026-05-05T11:00:00.000Z' },
  })
  assert.equal(windowsOfConversation(file, new Date(now.getTime() + 2 * HOUR_S * 1_000)), undefined)
})

test('the account is the one that is named, else the one that Claude Code is signed in with, else the host', async (t) => {
  const home = await temporaryFolder(t)
  const claude = { HOME: home, CLAUDECODE: '1' }
  assert.equal(accountName(undefined, claude), 'claude-code')
  await mkdir(join(home, 'other'))
  await writeFile(join(home, '.claude.json'), '{"oauthAccount":{"emailAddress":"ada@example.org"}}')
  assert.equal(accountName(undefined, claude), 'ada@example.org')
  assert.equal(accountName(undefined, { ...claude, CLAUDE_CONFIG_DIR: join(home, 'other') }), 'claude-code')
  assert.equal(accountName(undefined, { ...claude, GATEWAY_ACCOUNT: 'max-1' }), 'max-1')
  assert.equal(accountName('max-2', { ...claude, GATEWAY_ACCOUNT: 'max-1' }), 'max-2')
  assert.equal(accountName(undefined, { HOME: home, CODEX_HOME: home }), 'codex')
})
