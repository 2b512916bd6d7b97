import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatStream, type MockProvider, mockProvider, streams } from '../../plugins/model-endpoint/test/mock-provider.ts'
import { ADMIN, database, Node, skip } from './nodes.ts'

const CAP_USD = 0.01
/** Tokens of an answer, which cost six tenths of the cap. */
const TOKENS = 600
const ASKED = { model: 'model-s', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 700, stream: true }

interface Row {
  readonly outcome: string
  readonly estimated: boolean
  readonly outputTokens: number
  readonly costUsd: number
}

// Gateways on a database share caps: what calls of one have cost counts at the other while they run.
describe(`two gateways under one cap${skip ? ` (${skip})` : ''}`, { skip: skip !== false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-caps-'))
  let up: MockProvider
  let a: Node
  let b: Node
  const begin = async (plan: object): Promise<void> => {
    const config = join(folder, 'gateway.config.json')
    const prices = { 'model-s': { inputPerMTok: 1, outputPerMTok: 10 } }
    const api = { wire: 'openai', baseUrl: up.baseUrl, models: { standard: 'model-s' }, prices }
    writeFileSync(config, JSON.stringify({ plugins: { providers: { providers: { api } }, budgets: plan } }))
    const url = database()
    a = await new Node(url, { GATEWAY_CONFIG: config }).start()
    b = await new Node(url, { GATEWAY_CONFIG: config }).start()
  }
  before(async () => {
    up = await mockProvider(streams(chatStream(['x'.repeat(TOKENS * 4)]).slice(0, 1), { open: true }))
  })
  after(async () => {
    await Promise.all([a?.dispose(), b?.dispose()])
    await up[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const stream = (node: Node): Promise<Response> =>
    fetch(`${node.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ASKED),
    })
  const rows = async (node: Node): Promise<readonly Row[]> => {
    const response = await fetch(`${node.url}/api/budgets/usage`, { headers: { 'x-admin-token': ADMIN } })
    return ((await response.json()) as { rows: Row[] }).rows
  }

  test('two streams, neither of which reaches the cap, are cut when they reach it together, each on its node', async () => {
    await begin({ monthlyCapUsd: CAP_USD })
    const streams = await Promise.all([stream(a), stream(b)])
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    )
    const began = performance.now()
    const ends = await Promise.all(streams.map((response) => response.text()))
    for (const end of ends) assert.match(end, /BUDGET_EXCEEDED/)
    assert.ok(performance.now() - began < 30_000)
    const spent = (await rows(a)).reduce((sum, { costUsd }) => sum + costUsd, 0)
    assert.ok(spent >= CAP_USD && spent < 2 * CAP_USD, `${spent} USD`)
    await Promise.all([a.dispose(), b.dispose()])
  })

  test('a call of a node that was killed is charged by the other, at least what its client had', async () => {
    await begin({ monthlyCapUsd: CAP_USD, reservationMinutes: 0.1 })
    const response = await stream(a)
    await response.body?.getReader().read()
    await a.kill()
    for (let n = 0; n < 300 && (await rows(b)).length === 0; n++) await sleep(500)
    const [row, ...more] = await rows(b)
    assert.deepEqual([row?.outcome, row?.estimated, more.length], ['lost', true, 0])
    assert.ok(row && row.outputTokens >= TOKENS && row.outputTokens <= 700, `${row?.outputTokens} tokens`)
  })
})
