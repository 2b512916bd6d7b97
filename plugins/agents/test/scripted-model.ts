import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const WIRES = ['openai', 'anthropic'] as const
export type WireName = (typeof WIRES)[number]

/** An answer of the script: a text, tools with their arguments (a text is sent as it is), or a refusal. */
export interface Step {
  readonly text?: string
  readonly calls?: readonly (readonly [name: string, args: object | string])[]
  readonly status?: number
  readonly stop?: 'length'
}
/** A request as the test reads it, the same for both wires. */
export interface Asked {
  readonly tools: readonly string[]
  readonly system: string
  readonly model: string
  /** The results in the last message: texts, and on the wire anthropic whether they are errors. */
  readonly results: readonly { readonly text: string; readonly isError?: boolean }[]
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any
}
type Script = readonly Step[] | ((asked: Asked, at: number) => Step | Promise<Step>)

/** A model provider on this machine that streams the steps of a script, one for each request; the last one stays. */
export async function scriptedModel(wire: WireName, script: Script, provider: object = {}) {
  const asked: Asked[] = []
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = READ[wire](JSON.parse(Buffer.concat(parts).toString('utf8')))
    const at = asked.push(one) - 1
    const step = typeof script === 'function' ? await script(one, at) : script[Math.min(at, script.length - 1)]
    if (step) send(wire, response, step)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const models = { budget: 'small', standard: 'middle', premium: 'large', ultra: 'huge' }
  return {
    asked,
    config: { providers: { providers: { local: { wire, baseUrl, models, ...provider } } } },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
const READ: Readonly<Record<WireName, (body: any) => Asked>> = {
  openai(body) {
    const results: { text: string }[] = []
    for (let at = body.messages.length - 1; body.messages[at].role === 'tool'; at--) results.unshift({ text: body.messages[at].content })
    const tools = (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name)
    return { tools, system: body.messages[0].content, model: body.model, results, body }
  },
  anthropic(body) {
    const { content } = body.messages.at(-1)
    const blocks = typeof content === 'string' ? [] : content
    const results = blocks.map((block: { content: string; is_error?: boolean }) => ({
      text: block.content,
      ...(block.is_error && { isError: true }),
    }))
    return { tools: (body.tools ?? []).map(({ name }: { name: string }) => name), system: body.system, model: body.model, results, body }
  },
}

function send(wire: WireName, response: ServerResponse, step: Step): void {
  const { status = 200 } = step
  response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' })
  if (status !== 200) response.end(JSON.stringify({ error: { message: 'no' } }))
  else
    response.end(
      EVENTS[wire](step)
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(''),
    )
}

const textOf = (args: object | string): string => (typeof args === 'string' ? args : JSON.stringify(args))
const EVENTS: Readonly<Record<WireName, (step: Step) => readonly object[]>> = {
  openai: ({ text = '', calls = [], stop }) => [
    ...(text === '' ? [] : [{ choices: [{ index: 0, delta: { content: text } }] }]),
    ...calls.map(([name, args], index) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: textOf(args) } }] } }],
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: stop ?? (calls.length > 0 ? 'tool_calls' : 'stop') }] },
    { choices: [], usage: { prompt_tokens: 20, completion_tokens: 5 } },
  ],
  anthropic: ({ text = '', calls = [], stop }) => [
    { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
    ...calls.flatMap(([name, args], at) => [
      { type: 'content_block_start', index: at + 1, content_block: { type: 'tool_use', id: `c${at}`, name, input: {} } },
      { type: 'content_block_delta', index: at + 1, delta: { type: 'input_json_delta', partial_json: textOf(args) } },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stop ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ],
}
