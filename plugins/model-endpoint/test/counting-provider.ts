import type { ServerResponse } from 'node:http'
import { event, mockProvider, type Received } from './mock-provider.ts'

/** Tokens of a prompt, unless the call has a number of its own. The gateway estimates more for the bodies of `callOf`. */
const INPUT = 20
/** The most tokens that a prompt may have in place of these. */
export const MOST_INPUT = 120
export const CHARACTERS_A_TOKEN = 4

export interface Counted {
  calls: number
  inputTokens: number
  outputTokens: number
}

/** Ways in which a client takes its answer: whole, streamed to its end, or streamed until it leaves after the first part. */
export const KINDS = ['whole', 'streamed', 'leaves'] as const
export type Kind = (typeof KINDS)[number]

export interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

const FILLER = 'Answer with as many tokens as the limit allows, please, and with nothing else at all. '.repeat(6)

/** The body of a call whose answer has `tokens` tokens. */
export const callOf = (kind: Kind, tokens: number, name = 'call', input = INPUT) => ({
  model: 'model-s',
  max_tokens: tokens,
  stream: kind !== 'whole',
  metadata: { user_id: `${kind} ${name} ${input}` },
  messages: [{ role: 'user', content: FILLER }],
})

/** A provider of messages that counts the tokens of everything it answers, by the name of the call and in all. */
export async function countingProvider() {
  const counted: Counted = { calls: 0, inputTokens: 0, outputTokens: 0 }
  const byName = new Map<string, Tokens>()
  const behave = (response: ServerResponse, { body }: Received): void => {
    const [kind, name, input] = String(body.metadata.user_id).split(' ')
    const tokens: number = body.max_tokens
    const inputTokens = Number(input)
    counted.calls++
    counted.inputTokens += inputTokens
    counted.outputTokens += tokens
    byName.set(name ?? '', { inputTokens, outputTokens: tokens })
    const text = 'x'.repeat(tokens * CHARACTERS_A_TOKEN)
    const usage = { input_tokens: inputTokens, output_tokens: tokens }
    if (kind === 'whole') {
      const whole = { id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn', usage }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
      return
    }
    const typed = (type: string, more: object): string => event({ type, ...more }, type)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const begun =
      typed('message_start', { message: { id: 'msg', content: [], usage: { ...usage, output_tokens: 1 } } }) +
      typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    if (kind === 'leaves') response.write(begun)
    else {
      const end = typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: tokens } })
      response.end(begun + typed('content_block_stop', { index: 0 }) + end + typed('message_stop', {}))
    }
  }
  return Object.assign(await mockProvider(behave), { counted, byName })
}

/** Cost of what was counted, in billionths of a dollar, at 1 USD for a million tokens of a prompt and 10 of an answer. */
export const nanosOf = ({ inputTokens, outputTokens }: Tokens): number => inputTokens * 1_000 + outputTokens * 10_000
