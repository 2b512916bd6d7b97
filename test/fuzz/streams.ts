import assert from 'node:assert/strict'
import { type Random, upTo } from '../crash/powercut/random.ts'
import type { Sender } from './envelopes.ts'
import { type Headers, type Json, type Post, pick, statelessRequest } from './messages.ts'
import { mutated } from './mutate.ts'
import { assertStream, eventsIn } from './oracle.ts'

const ALIVE_MS = 60_000
const META = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }

/** Runs one client that listens, is asked and closes connections, not always correctly; returns the number of requests. */
export async function useStreams(random: Random, sender: Sender): Promise<number> {
  const client = new StreamClient(sender)
  try {
    await pick(random, [beAsked, beAsked, listen, answerLater])(random, client, sender)
  } finally {
    await client.end()
  }
  return client.requests
}

/** In a session: the call asks, gets some answer, loses its connection, is resumed; the session ends all. */
async function beAsked(random: Random, client: StreamClient): Promise<void> {
  const session = await client.initialize(pick(random, ['2025-06-18', '2025-11-25']))
  const unasked = random() < 0.5 ? client.get(session) : undefined
  const call = client.post(session, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fuzz_ask', arguments: { n: 1 } } })
  const question = await call.until((messages) => messages.find(({ method }) => method === 'elicitation/create'))
  const answer: Json = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { name: 'x' } } }
  await client.post(session, random() < 0.4 ? answer : mutated(random, answer)).over
  if (unasked) {
    await client.post(session, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fuzz_change' } }).over
    if (random() < 0.5) await unasked.until((messages) => messages.at(-1))
  }
  if (random() < 0.5) {
    call.disconnect()
    const places = [...call.text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id)
    const place = pick(random, [places.at(-1) ?? '0_0', places[0] ?? '0_0', '0_0', '1_999', 'x', '1_-1', '=?'])
    client.get(session, { 'last-event-id': place })
  }
  if (random() < 0.3) client.disconnect()
}

/** Without a session: subscribes to more or less valid targets. */
async function listen(random: Random, client: StreamClient): Promise<void> {
  const notifications: Json = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['fuzz://secret'],
    taskIds: ['none'],
  }
  const post = statelessRequest(1, 'subscriptions/listen', {
    notifications: random() < 0.5 ? notifications : mutated(random, notifications),
  })
  const stream = client.send(post)
  if (!(await stream.opened)) return
  const first = await stream.until((messages) => messages[0])
  assert.equal(first.method, 'notifications/subscriptions/acknowledged')
  const calls = upTo(random, 3)
  for (let n = 0; n < calls; n++) await client.send(statelessRequest(1, 'tools/call', { name: 'fuzz_change', arguments: {} })).over
}

/** Without a session: the question is the answer, and the client returns with the given state, or something else. */
async function answerLater(random: Random, client: StreamClient, { tenant, other, states, ...sender }: Sender): Promise<void> {
  const ask = (more: { readonly [key: string]: Json }): Post =>
    statelessRequest(1, 'tools/call', { name: 'fuzz_ask', arguments: { n: 1 }, ...more }, META)
  const [asked] = await client.send(ask({})).over
  assert.equal(asked?.result?.resultType, 'input_required', JSON.stringify(asked))
  const state = String(asked.result.requestState)
  states.set(tenant, state)
  const inputResponses: Json = { who: { action: 'accept', content: { name: 'x' } } }
  const [done] = await client.send(ask({ inputResponses, requestState: state })).over
  assert.deepEqual(done?.result?.structuredContent, { secret: tenant.secret, n: 1 })
  const at = upTo(random, state.length)
  const tampered = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
  for (const requestState of [tampered, states.get(other) ?? 'none']) {
    const [refused] = await client.send(ask({ inputResponses, requestState })).over
    assert.ok(refused?.error, `${sender.url} took a state that was not given to this caller: ${JSON.stringify(refused)}`)
  }
  await client.send(
    ask({ inputResponses: mutated(random, inputResponses), requestState: pick(random, [state, '', mutated(random, state)]) }),
  ).over
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Message = any

class StreamClient {
  requests = 0
  readonly #sender: Sender
  readonly #exchanges: Exchange[] = []
  readonly #sessions: string[] = []

  constructor(sender: Sender) {
    this.#sender = sender
  }

  async initialize(protocolVersion: string): Promise<string> {
    const params = { protocolVersion, capabilities: { elicitation: {} }, clientInfo: { name: 'fuzz', version: '1' } }
    const opened = this.post(undefined, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
    await opened.over
    const session = opened.session ?? assert.fail('no session was opened')
    this.#sessions.push(session)
    return session
  }

  get(session: string, headers: Headers = {}): Exchange {
    return this.#open('GET', { 'mcp-session-id': session, ...headers })
  }

  post(session: string | undefined, body: Json): Exchange {
    return this.send({ headers: session === undefined ? {} : { 'mcp-session-id': session }, body })
  }

  send({ headers, body }: Post): Exchange {
    return this.#open('POST', { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
  }

  disconnect(): void {
    for (const exchange of this.#exchanges) exchange.disconnect()
  }

  /** Ends its sessions; any remaining streams must end with them, or are closed. */
  async end(): Promise<void> {
    for (const session of this.#sessions) await this.#open('DELETE', { 'mcp-session-id': session }).over
    if (this.#sessions.length === 0) this.disconnect()
    for (const exchange of this.#exchanges) {
      await exchange.over
      assertStream({ foreign: this.#sender.other.secret }, exchange.text)
    }
  }

  #open(method: string, headers: Headers, body?: string): Exchange {
    this.requests++
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    const all = { 'x-api-key': this.#sender.tenant.apiKey, accept, ...headers }
    const exchange = new Exchange(`${this.#sender.url}/mcp`, { method, headers: all, ...(body !== undefined && { body }) })
    this.#exchanges.push(exchange)
    return exchange
  }
}

class Exchange {
  text = ''
  session: string | undefined
  readonly opened: Promise<boolean>
  /** All messages, at the end of the answer. Fails if the answer has not ended after a long time. */
  readonly over: Promise<readonly Message[]>
  readonly #away = new AbortController()
  #isOver = false
  #isStream = false
  #wake: () => void = () => undefined

  constructor(url: string, init: RequestInit) {
    const limit = setTimeout(() => this.#away.abort(new Error('a stream did not end')), ALIVE_MS)
    const response = fetch(url, { ...init, signal: this.#away.signal })
    this.opened = response.then(
      ({ status, headers }) => status === 200 && headers.get('content-type')?.startsWith('text/event-stream') === true,
      () => false,
    )
    this.over = this.#read(response).finally(() => {
      clearTimeout(limit)
      this.#isOver = true
      this.#wake()
    })
    this.over.catch(() => undefined)
  }

  disconnect(): void {
    this.#away.abort()
  }

  /** Returns the match of `find` in the messages, as soon as it exists. */
  async until(find: (messages: readonly Message[]) => Message): Promise<Message> {
    for (;;) {
      const found = find(eventsIn(this.text))
      if (found !== undefined) return found
      if (this.#isOver) assert.fail(`the stream ended without it: ${this.text.slice(0, 1_000)}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async #read(opening: Promise<Response>): Promise<readonly Message[]> {
    try {
      const response = await opening
      this.session = response.headers.get('mcp-session-id') ?? undefined
      this.#isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        this.text += decoder.decode(chunk, { stream: true })
        this.#wake()
      }
    } catch (error) {
      if (!this.#away.signal.aborted || this.#away.signal.reason?.message === 'a stream did not end') throw error
      return []
    }
    if (this.text === '') return []
    return this.#isStream ? eventsIn(this.text) : [JSON.parse(this.text)].flat()
  }
}
