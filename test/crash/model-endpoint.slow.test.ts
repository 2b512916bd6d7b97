import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storeUnderTest } from '@gateway/testing'
import {
  CHARACTERS_A_TOKEN,
  callOf,
  countingProvider,
  KINDS,
  type Kind,
  MOST_INPUT,
  nanosOf,
  type Tokens,
} from '../../plugins/model-endpoint/test/counting-provider.ts'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'

// Calls of models run at a real gateway that is killed under them. MODEL_CALLS and MODEL_KILLS set their numbers.
const CALLS = Number(process.env.MODEL_CALLS ?? 10_000)
const KILLS = Number(process.env.MODEL_KILLS ?? 10)
const AT_ONCE = 64
const ADMIN = 'token-of-the-operator-for-tests'
/** Share of the price of all calls that the cap allows. */
const SHARE = 0.7

interface Row {
  readonly outcome: string
  readonly estimated: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}
interface Charged {
  readonly rows: readonly Row[]
  readonly monthToDateUsd: number
}

/** Tokens of a call: no other call has both numbers, so that a row is known by them. Answers stay small, since time goes into their bytes. */
const tokensOf = (n: number): Tokens => ({ inputTokens: 20 + (n % INPUTS), outputTokens: 1 + Math.floor(n / INPUTS) })
const INPUTS = MOST_INPUT - 20
const idOf = ({ inputTokens, outputTokens }: Tokens): string => `${inputTokens} ${outputTokens}`
const costOf = (all: readonly Tokens[]): number => sum(all.map(nanosOf))

type Outcome = 'answered' | 'refused' | 'left' | 'lost'

test(`${CALLS} concurrent calls with ${KILLS} kills spend no more than the cap and what was in flight, and each is charged: to the token, or by estimate`, {
  timeout: 120_000 + CALLS * 100 + KILLS * 60_000,
}, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-models-'))
  await using up = await countingProvider()
  const price = { inputPerMTok: 1, outputPerMTok: 10 }
  const capUsd = (costOf(Array.from({ length: CALLS }, (_, n) => tokensOf(n))) / 1e9) * SHARE
  const api = { wire: 'anthropic', baseUrl: up.baseUrl, models: { standard: 'model-s' }, prices: { 'model-s': price } }
  const many = { requestsPerMinute: 1_000_000, callsAtOnce: 100, maxHops: 0 }
  const plugins = {
    providers: { ...many, providers: { api } },
    budgets: { monthlyCapUsd: capUsd, dailyCapUsd: capUsd * 2, reservationMinutes: 0.1 },
  }
  await writeFile(
    join(dataDir, 'config.json'),
    JSON.stringify({ plugins: { ...plugins, outgoing: { callsPerTenant: 200, callsPerOrigin: 200 } } }),
  )
  const start = async (): Promise<GatewayProcess> =>
    warmGateway().start({
      ...database(dataDir),
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_PORT: '0',
      ADMIN_API_TOKEN: ADMIN,
      GATEWAY_CONFIG: join(dataDir, 'config.json'),
      GATEWAY_EMBEDDINGS: 'off',
    })
  const outcomes: Outcome[] = []
  /** Tokens that the client of a lost call has, at least. */
  let receivedOfLost = 0
  let gateway = await start()
  let killed = 0
  try {
    let next = 0
    // Each of these rounds but the last ends with a kill in the middle of its calls.
    for (let round = 0; round <= KILLS; round++) {
      const end = Math.floor((CALLS * (round + 1)) / (KILLS + 1))
      const killAt = round === KILLS ? Infinity : Math.floor((next + end) / 2)
      const work = async (): Promise<void> => {
        while (next < end && (round === KILLS || killed === round)) {
          const n = next++
          if (n === killAt) {
            killed++
            await gateway.kill()
            return
          }
          const { outcome, characters } = await take(gateway.url, KINDS[n % KINDS.length] ?? 'whole', n)
          outcomes[n] = outcome
          if (outcome === 'lost') receivedOfLost += Math.floor(characters / CHARACTERS_A_TOKEN)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      if (round < KILLS) gateway = await start()
    }
    await check(await settled(gateway.url))
  } finally {
    await gateway.kill()
    await rm(dataDir, { recursive: true, force: true })
  }

  async function check({ rows, monthToDateUsd }: Charged): Promise<void> {
    const lost = rows.filter(({ outcome }) => outcome === 'lost')
    const exact = rows.filter(({ outcome }) => outcome !== 'lost')
    const charged = new Map(exact.map((row) => [idOf(row), row]))
    assert.equal(charged.size, exact.length, 'no call is charged twice')
    assert.ok(lost.every(({ estimated }) => estimated))
    const uncharged: Tokens[] = []
    for (const [name, tokens] of up.byName) {
      const row = charged.get(idOf(tokens))
      if (row) assert.equal(nanosOfUsd(row.costUsd), nanosOf(tokens))
      else uncharged.push(tokens)
      const outcome = outcomes[Number(name)]
      if (outcome === 'answered') assert.ok(row, `call ${name} was answered and is charged`)
      assert.notEqual(outcome, 'refused', `call ${name} was refused and did not reach the provider`)
    }
    assert.ok(lost.length <= AT_ONCE * KILLS, `${lost.length} calls were in flight at ${KILLS} kills`)
    assert.ok(uncharged.length <= lost.length, `${uncharged.length} calls reached the provider, ${lost.length} lost ones are charged`)
    const lostTokens = sum(lost.map(({ outputTokens }) => outputTokens))
    assert.ok(lostTokens >= receivedOfLost, `clients of lost calls have ${receivedOfLost} tokens, ${lostTokens} are charged`)
    assert.equal(costOf([...charged.values(), ...uncharged]), nanosOf(up.counted))
    assert.equal(nanosOfUsd(monthToDateUsd), sum(rows.map(({ costUsd }) => nanosOfUsd(costUsd))), 'the meter is the sum of the rows')
    const mostOfACall = nanosOf({ inputTokens: 2 * MOST_INPUT, outputTokens: tokensOf(CALLS).outputTokens })
    const unread = Math.max(0, costOf(uncharged) - sum(lost.map(({ costUsd }) => nanosOfUsd(costUsd))))
    const most = nanosOfUsd(capUsd) + mostOfACall + unread
    assert.ok(nanosOf(up.counted) <= most, `${nanosOf(up.counted) / 1e9} USD of ${capUsd}, ${unread / 1e9} in flight`)
    t.diagnostic(
      `${exact.length} calls charged exactly, ${lost.length} by estimate: ${lostTokens} tokens of ${sum(uncharged.map(({ outputTokens }) => outputTokens))}`,
    )
    assert.ok(outcomes.includes('refused'), 'the cap was reached')
  }
})

/** With STORE=mongodb, a database of its own on the server of the tests. */
function database(dataDir: string): Readonly<Record<string, string>> {
  const { url } = storeUnderTest()
  if (url === undefined) return {}
  const address = new URL(url)
  address.pathname = `/test_${dataDir.replace(/[^A-Za-z0-9]/g, '_').slice(-40)}`
  return { MONGODB_URL: address.href }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
const nanosOfUsd = (usd: number): number => Math.round(usd * 1e9)

/** Takes an answer as its kind says. `lost`: the gateway went away before the end. */
async function take(url: string, kind: Kind, n: number): Promise<{ readonly outcome: Outcome; readonly characters: number }> {
  const leaving = new AbortController()
  const { inputTokens, outputTokens } = tokensOf(n)
  let characters = 0
  const ended = (outcome: Outcome) => ({ outcome, characters })
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(callOf(kind, outputTokens, String(n), inputTokens)),
      signal: leaving.signal,
    })
    if (response.status === 402) {
      await response.text()
      return ended('refused')
    }
    let text = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      characters = text.split('x').length - 1
      // The client leaves when it has the text, whose end the provider never sends.
      if (kind === 'leaves' && characters >= outputTokens * CHARACTERS_A_TOKEN) {
        leaving.abort()
        return ended('left')
      }
    }
    if (response.status !== 200) return ended('lost')
    return ended(kind === 'whole' || text.includes('"message_stop"') ? 'answered' : 'lost')
  } catch {
    return ended('lost')
  }
}

/** Everything that was charged, once no call is under way: a client that left is charged a moment later, a lost call when its reservation expires. */
async function settled(url: string): Promise<Charged> {
  const get = async <T>(path: string) =>
    (await fetch(`${url}/api/budgets/${path}`, { headers: { 'x-admin-token': ADMIN } })).json() as Promise<T>
  const status = () => get<{ readonly heldUsd: number; readonly monthToDateUsd: number }>('status')
  let now = await status()
  while (now.heldUsd > 0) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    now = await status()
  }
  const rows: Row[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: { rows: Row[]; nextCursor?: string } = await get(`usage?limit=500${cursor && `&cursor=${cursor}`}`)
    rows.push(...page.rows)
    cursor = page.nextCursor
  }
  return { rows, monthToDateUsd: now.monthToDateUsd }
}
