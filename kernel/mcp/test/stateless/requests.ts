import assert from 'node:assert/strict'
import type { TestGateway } from '@gateway/testing'
import { SignJWT } from 'jose'
import { type Read, send } from '../../../http/test/requests.ts'
import { addTenants } from '../tokens.ts'

export const VERSION = '2026-07-28'
export const TASKS = 'io.modelcontextprotocol/tasks'
export const SECRET = 'a-session-secret-of-some-length-0123456789'
const OWN = 'io.modelcontextprotocol/'
/** Capabilities of a client that supports everything. */
export const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {}, extensions: { [TASKS]: {} } }
export const ASKABLE = { elicitation: {}, sampling: {}, roots: {} }

export type Headers = Record<string, string>
export interface Asked {
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly id?: string | number
  readonly capabilities?: object
  /** Further members of `_meta`; those that are undefined are left out. */
  readonly meta?: Record<string, unknown>
  /** Headers that replace or extend those of the request; those that are undefined are left out. */
  readonly headers?: Record<string, string | undefined>
}

export function body({ method, params = {}, id = 1, capabilities = {}, meta = {} }: Asked): object {
  const _meta = { [`${OWN}protocolVersion`]: VERSION, [`${OWN}clientCapabilities`]: capabilities, ...meta }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}

export function headersOf({ method, params = {}, headers = {} }: Asked): Headers {
  const subject = params.name ?? params.uri ?? params.taskId
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof subject === 'string' && { 'mcp-name': subject }),
    ...headers,
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export interface Answered extends Read {
  /** Messages of an event stream, the last of which is the answer; empty for plain JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly events: any[]
}

export async function ask(gateway: TestGateway, asked: Asked): Promise<Answered> {
  const read = await send(`${gateway.url}/mcp`, { body: body(asked), headers: headersOf(asked) })
  assert.equal(read.headers.get('mcp-session-id'), null, 'no sessions in this era')
  const events = eventsIn(read.text)
  return { ...read, events, json: read.json ?? events.at(-1) }
}

export const call = (gateway: TestGateway, name: string, args: object = {}, more: Partial<Asked> = {}): Promise<Answered> =>
  ask(gateway, { method: 'tools/call', ...more, params: { name, arguments: args, ...more.params } })

/** Returns each message of a stream, which is on one line; comments are left out. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export function eventsIn(text: string): any[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

/** Returns a session of a user in a tenant, which is created if missing. */
export async function session(gateway: TestGateway, tenantId: string, sub = 'ann', role = 'member'): Promise<Headers> {
  await addTenants(gateway, tenantId)
  const token = await new SignJWT({ sub, tenantId, role })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(new Date(gateway.clock.now() + 30 * 24 * 3_600_000))
    .sign(new TextEncoder().encode(SECRET))
  return { authorization: `Bearer ${token}` }
}

export interface Open {
  readonly response: Response
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  next(): Promise<any>
  /** Returns all messages until the server ends the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  rest(): Promise<any[]>
  disconnect(): void
}

export async function open(gateway: TestGateway, asked: Asked): Promise<Open> {
  const away = new AbortController()
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: headersOf(asked),
    body: JSON.stringify(body(asked)),
    signal: away.signal,
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async function* messages(): AsyncGenerator<any> {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const whole = text.lastIndexOf('\n\n') + 2
      if (whole < 2) continue
      yield* eventsIn(text.slice(0, whole))
      text = text.slice(whole)
    }
  }
  const stream = messages()
  return {
    response,
    next: async () => (await stream.next()).value,
    async rest() {
      const all = []
      for await (const message of stream) all.push(message)
      return all
    },
    disconnect: () => away.abort(),
  }
}

export const listen = (gateway: TestGateway, notifications: object, more: Partial<Asked> = {}): Promise<Open> =>
  open(gateway, { method: 'subscriptions/listen', ...more, params: { notifications } })

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export async function taskWhen(gateway: TestGateway, taskId: string, status: string, more: Partial<Asked> = {}): Promise<any> {
  for (;;) {
    const { json } = await ask(gateway, { method: 'tasks/get', capabilities: ALL, ...more, params: { taskId } })
    if (json.result?.status === status) return json.result
    await new Promise((resolve) => setImmediate(resolve))
  }
}
