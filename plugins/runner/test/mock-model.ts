import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model on the wires of Anthropic, OpenAI and Google that says one sentence. */
export interface MockModel {
  readonly url: string
  /** Names of the tools that it was offered. */
  readonly tools: ReadonlySet<string>
  /** Texts that it was sent. */
  readonly asked: readonly string[]
  stop(): void
}

export const SAYS = 'All done by the mock.'
export const USED = { input: 11, output: 7, cached: 3 } as const
/** Percentages of the quotas of the account, which vendors tell in headers. */
export const QUOTAS = { fiveHourPct: 42.5, weeklyPct: 17 } as const

/** Headers of Anthropic and of OpenAI for accounts with a subscription. */
function quotaHeaders(usedUp: boolean): Record<string, string> {
  const now = Math.floor(Date.now() / 1_000)
  const [fiveHour, weekly] = [now + 3_600, now + 3 * 86_400].map(String) as [string, string]
  return {
    'anthropic-ratelimit-unified-status': usedUp ? 'rejected' : 'allowed',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-reset': fiveHour,
    'anthropic-ratelimit-unified-5h-status': usedUp ? 'rejected' : 'allowed',
    'anthropic-ratelimit-unified-5h-utilization': usedUp ? '1.0' : String(QUOTAS.fiveHourPct / 100),
    'anthropic-ratelimit-unified-5h-reset': fiveHour,
    'anthropic-ratelimit-unified-7d-status': 'allowed',
    'anthropic-ratelimit-unified-7d-utilization': String(QUOTAS.weeklyPct / 100),
    'anthropic-ratelimit-unified-7d-reset': weekly,
    'x-codex-primary-used-percent': String(QUOTAS.fiveHourPct),
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': fiveHour,
    'x-codex-secondary-used-percent': String(QUOTAS.weeklyPct),
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': weekly,
  }
}

interface Offered {
  readonly name?: string
  readonly function?: { readonly name?: string }
  readonly functionDeclarations?: readonly { readonly name: string }[]
  /** Tools of a namespace. */
  readonly tools?: readonly Offered[]
}

/** With `usedUp` the quota of the account has no room for a call. */
export async function startMockModel({ usedUp = false } = {}): Promise<MockModel> {
  const tools = new Set<string>()
  const asked: string[] = []
  const note = ({ name, function: called, functionDeclarations = [], tools: more = [] }: Offered): void => {
    for (const one of [name, called?.name, ...functionDeclarations.map((declared) => declared.name)]) if (one) tools.add(one)
    for (const one of more) note(one)
  }
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { url = '' } = request
    const parsed = (body.startsWith('{') ? JSON.parse(body) : {}) as { tools?: readonly Offered[]; model?: string; stream?: boolean }
    if (body !== '') asked.push(body)
    for (const one of parsed.tools ?? []) note(one)
    if (usedUp && url.includes('/messages')) {
      const error = { type: 'rate_limit_error', message: 'This request would exceed your account rate limit.' }
      response.writeHead(429, { 'content-type': 'application/json', ...quotaHeaders(usedUp) }).end(JSON.stringify({ type: 'error', error }))
      return
    }
    const answer = url.includes('/messages')
      ? anthropic(url, parsed)
      : url.includes('/responses')
        ? openai(parsed.model ?? 'mock')
        : /:(?:stream)?[gG]enerateContent/.test(url)
          ? google(url)
          : { json: { data: [], models: [] } }
    if ('json' in answer)
      response.writeHead(200, { 'content-type': 'application/json', ...quotaHeaders(usedUp) }).end(JSON.stringify(answer.json))
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...quotaHeaders(usedUp) })
      for (const event of answer.events)
        response.write(`${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
      response.end()
    }
  }
  const server = createServer((request, response) => void reply(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tools,
    asked,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Reply = { readonly json: object } | { readonly events: readonly object[] }

function anthropic(url: string, { model = 'mock', stream }: { readonly model?: string; readonly stream?: boolean }): Reply {
  if (url.includes('count_tokens')) return { json: { input_tokens: USED.input } }
  const usage = {
    input_tokens: USED.input,
    output_tokens: USED.output,
    cache_read_input_tokens: USED.cached,
    cache_creation_input_tokens: 0,
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null }
  if (!stream) return { json: { ...message, content: [{ type: 'text', text: SAYS }], stop_reason: 'end_turn', usage } }
  return {
    events: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 0 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SAYS } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  }
}

function openai(model: string): Reply {
  const item = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: SAYS, annotations: [] }],
  }
  const usage = {
    input_tokens: USED.input,
    input_tokens_details: { cached_tokens: USED.cached },
    output_tokens: USED.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USED.input + USED.output,
  }
  const response = { id: 'resp_1', object: 'response', model }
  return {
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: SAYS },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ],
  }
}

function google(url: string): Reply {
  const answer = {
    candidates: [{ content: { role: 'model', parts: [{ text: SAYS }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: USED.input,
      candidatesTokenCount: USED.output,
      cachedContentTokenCount: USED.cached,
      totalTokenCount: USED.input + USED.output,
    },
  }
  return url.includes('stream') ? { events: [answer] } : { json: answer }
}
