import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import { agentProgram } from '../../runner/test/agent-programs.ts'
import { messagesStream, mockProvider, streams } from './mock-provider.ts'
import { provider, start } from './support.ts'

const SAYS = ['All done', ' by the mock.']
const CAP_USD = 20
/** Every call of the mock takes 1,000 tokens in and 100 out. */
const CALL_USD = 0.002

/** The command that asks each program one question without a terminal. It runs in a folder where `gateway connect --models` wrote its settings. */
const programs = {
  'claude-code': {
    name: 'claude',
    args: ['-p', 'Say that you are done.', '--model', 'model-s', '--max-turns', '2'],
    // The program refuses to work for the user root, except in a sandbox.
    env: { IS_SANDBOX: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  },
  codex: { name: 'codex', args: ['exec', '--skip-git-repo-check', '--model', 'standard', 'Say that you are done.'], env: {} },
} as const

for (const [client, { name, args, env }] of Object.entries(programs)) {
  test(`${client} calls models through the settings of gateway connect, is counted, and shows the refusal at the cap`, {
    timeout: 600_000,
  }, async (t) => {
    const program = agentProgram(name)
    if ('missing' in program) return t.skip(program.missing)
    await using up = await mockProvider(streams(messagesStream(SAYS)))
    await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, { tenants: { acme: { monthlyCapUsd: CAP_USD } } })
    await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
    const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
    const folder = await mkdtemp(join(tmpdir(), 'gateway-agent-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const own = { HOME: folder, PATH: process.env.PATH ?? '', GATEWAY_API_KEY: apiKey }
    const connect = ['connect', client, '--models', '--url', gateway.url]
    const connected = await runCommand({ plugins: async () => [], argv: connect, env: own, cwd: folder })
    assert.equal(connected.code, 0, connected.stderr)
    const ask = async () => {
      const child = spawn(program.path, args, { cwd: folder, env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return { code, said: stdout + stderr, stdout }
    }
    const owner = { as: { tenantId: 'acme', id: 'ann', kind: 'user', role: 'owner' } } as const
    const spent = async (): Promise<number> => (await gateway.call('budgets_status', {}, owner)).monthToDateUsd

    // Counts of tokens are no calls: they cost nothing, and a cap does not refuse them.
    const calls = (): number => up.received.filter(({ url }) => !url.endsWith('/count_tokens')).length

    const first = await ask()
    assert.deepEqual([first.code, first.stdout.includes(SAYS.join(''))], [0, true], first.said)
    assert.ok(calls() > 0)
    assert.equal(Math.round((await spent()) / CALL_USD), calls())

    const report = { model: 'model-s', usd: CAP_USD }
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    await fetch(`${gateway.url}/api/budgets/report`, { method: 'POST', headers, body: JSON.stringify(report) })
    const before = calls()
    const refused = await ask()
    assert.notEqual(refused.code, 0, refused.said)
    assert.match(refused.said, /tenant acme|acme/)
    assert.match(refused.said, /cap/)
    assert.equal(calls(), before)
  })
}
