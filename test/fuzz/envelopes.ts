import assert from 'node:assert/strict'
import { isLast, raw, Wire } from '../abuse/wire.ts'
import { type Random, upTo } from '../crash/powercut/random.ts'
import { handshakePost, type Json, type Post, pick, statelessPost } from './messages.ts'
import { mutated, mutatedHeaders, spoilt } from './mutate.ts'
import { assertAnswer, type Sent } from './oracle.ts'
import type { Tenant } from './tenants.ts'

const PIPELINED = 40
const ANSWERED_WITHIN_MS = 60_000

interface Prepared extends Sent {
  readonly bytes: string
}

export interface Sender {
  readonly url: string
  readonly tenant: Tenant
  readonly other: Tenant
  readonly sessions: ReadonlyMap<Tenant, string[]>
  /** The last resume state that each tenant received. */
  readonly states: Map<Tenant, string>
}

/** Sends pipelined requests on one connection; returns the number answered before one had to close it. */
export async function sendBatch(random: Random, sender: Sender): Promise<number> {
  const wire = await Wire.open(sender.url)
  const opened: string[] = []
  try {
    const requests = Array.from({ length: PIPELINED }, () => prepare(random, sender))
    const answers = await exchange(wire, requests.map(({ bytes }) => bytes).join(''), requests.length)
    for (const [n, answer] of answers.entries()) {
      const sent = requests[n] as Prepared
      const session = /^mcp-session-id: (\S+)/im.exec(answer.head)?.[1]
      if (session !== undefined) opened.push(session)
      explain(sent, () => assertAnswer(sent, answer))
    }
    sender.sessions.get(sender.tenant)?.push(...opened)
    // Others may name them now, correctly or not, until they are ended.
    await endSessions(sender, 10)
    return answers.length
  } finally {
    wire.close()
  }
}

/** Ends all but the newest `left` of the tenant's sessions. */
export async function endSessions(sender: Sender, left = 0): Promise<void> {
  const mine = sender.sessions.get(sender.tenant) ?? []
  const over = mine.splice(0, Math.max(0, mine.length - left))
  const wire = await Wire.open(sender.url)
  const requests = over.map((session) => raw('DELETE', '/mcp', headersOf(sender, { 'mcp-session-id': session })))
  for (const { status } of await exchange(wire, requests.join(''), over.length)) assert.equal(status, 204)
  wire.close()
}

async function exchange(wire: Wire, bytes: string, count: number) {
  wire.send(bytes)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWERED_WITHIN_MS} ms`)), ANSWERED_WITHIN_MS)
  })
  const answers = await Promise.race([wire.answers(count), late]).finally(() => clearTimeout(timer))
  const last = answers.at(-1)
  assert.ok(answers.length === count || (last && isLast(last)), `closed after ${answers.length} answers, the last: ${last?.head}`)
  return answers
}

function prepare(random: Random, sender: Sender): Prepared {
  // Few ids, and the same ones for both tenants: an implementation that separates by id alone mixes them up.
  const id = pick<Json>(random, [1, 2, 3, 'a', 'b'])
  const n = upTo(random, 1_000_000)
  const post = random() < 0.5 ? handshakePost(random, id, n, someSession(random, sender)) : statelessPost(random, id, n)
  const secrets = { own: sender.tenant.secret, foreign: sender.other.secret }
  if (random() < 0.25) return { ...secrets, ...written(sender, post), ...(isMine(post, sender) && { n }) }
  let { headers, body } = post
  const changes = 1 + upTo(random, 3)
  for (let change = 0; change < changes; change++) {
    if (random() < 0.7) body = mutated(random, body)
    else headers = mutatedHeaders(random, headers)
  }
  const text = latin1(JSON.stringify(body))
  return { ...secrets, ...written(sender, { headers, body }, random() < 0.08 ? spoilt(random, text) : text) }
}

/** Mostly its own session, sometimes the other tenant's, sometimes no session. */
function someSession(random: Random, { tenant, other, sessions }: Sender): string | undefined {
  const whose = random()
  if (whose < 0.3) return undefined
  return pick(random, sessions.get(whose < 0.9 ? tenant : other) ?? [])
}

/** True for an unmutated call that must succeed: its own session, or no session. */
function isMine({ headers, body }: Post, { tenant, sessions }: Sender): boolean {
  const session = headers['mcp-session-id']
  const { method, params } = body as { method?: string; params?: { name?: string } }
  const named = method === 'tools/call' && ['fuzz_mine', 'fuzz_marked', 'fuzz_steps'].includes(params?.name ?? '')
  // A session may be ended by another connection of this tenant meanwhile.
  return named && session === undefined && sessions.has(tenant)
}

function written(sender: Sender, { headers, body }: Post, text = latin1(JSON.stringify(body))): { bytes: string; body: string } {
  const length = text === '' ? { 'content-length': '0', 'content-type': 'application/json' } : {}
  return {
    bytes: raw('POST', '/mcp', headersOf(sender, { accept: 'application/json, text/event-stream', ...length, ...headers }), text),
    body: text,
  }
}

const headersOf = ({ tenant }: Sender, headers: Record<string, string>): Record<string, string> => ({
  'x-api-key': tenant.apiKey,
  ...headers,
})

/** Encodes one byte per character. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function explain(sent: Prepared, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new Error(`after ${JSON.stringify(sent.bytes.slice(0, 3_000))}`, { cause: error })
  }
}
