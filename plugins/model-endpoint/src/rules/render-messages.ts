import type { Completion, ModelToolCall } from '@gateway/plugin-providers/api'
import { object } from './json.ts'
import { type Answer, type Renderer, sse } from './renderer.ts'

const STOP = { end: 'end_turn', length: 'max_tokens', filtered: 'refusal', tools: 'tool_use' } as const

export function renderMessages({ id, model }: Answer): Renderer {
  const event = (type: string, more: object): string => sse({ type, ...more }, type)
  const block = (index: number, start: object, delta: object): string =>
    event('content_block_start', { index, content_block: start }) + event('content_block_delta', { index, delta })
  let texts = 0
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model }
  return {
    begin: () =>
      event('message_start', {
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } },
      }),
    delta(text) {
      const delta = { type: 'text_delta', text }
      return texts++ === 0 ? block(0, { type: 'text', text: '' }, delta) : event('content_block_delta', { index: 0, delta })
    },
    end(completion) {
      const first = texts > 0 ? 1 : 0
      const calls = completion.toolCalls.map(({ id, name, arguments: given }, n) => {
        const start = { type: 'tool_use', id, name, input: {} }
        return (
          block(first + n, start, { type: 'input_json_delta', partial_json: given }) + event('content_block_stop', { index: first + n })
        )
      })
      return [
        ...(texts > 0 ? [event('content_block_stop', { index: 0 })] : []),
        ...calls,
        event('message_delta', { delta: { stop_reason: STOP[completion.stopReason], stop_sequence: null }, usage: usageOf(completion) }),
        event('message_stop', {}),
      ].join('')
    },
    whole(completion) {
      const said = completion.text === '' ? [] : [{ type: 'text', text: completion.text }]
      const content = [...said, ...completion.toolCalls.map(useOf)]
      return { ...message, content, stop_reason: STOP[completion.stopReason], stop_sequence: null, usage: usageOf(completion) }
    },
  }
}

function useOf({ id, name, arguments: given }: ModelToolCall): object {
  let input: unknown
  try {
    input = JSON.parse(given)
  } catch {
    input = undefined
  }
  return { type: 'tool_use', id, name, input: object(input) ?? {} }
}

/** Tokens of caches are not part of `input_tokens` on this wire. */
function usageOf({ usage: { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } }: Completion): object {
  return {
    input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
  }
}
