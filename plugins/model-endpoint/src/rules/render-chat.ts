import type { Completion } from '@gateway/plugin-providers/api'
import { type Answer, type Renderer, sse } from './renderer.ts'

const FINISH = { end: 'stop', length: 'length', filtered: 'content_filter', tools: 'tool_calls' } as const

export function renderChat({ id, model, created }: Answer, includeUsage: boolean): Renderer {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    sse({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model, choices, ...more })
  const delta = (said: object, finish: string | null = null): string => chunk([{ index: 0, delta: said, finish_reason: finish }])
  return {
    begin: () => delta({ role: 'assistant', content: '' }),
    delta: (text) => delta({ content: text }),
    end(completion) {
      const calls = callsOf(completion).map((call, index) => ({ index, ...call }))
      return [
        ...(calls.length > 0 ? [delta({ tool_calls: calls })] : []),
        delta({}, FINISH[completion.stopReason]),
        ...(includeUsage ? [chunk([], { usage: usageOf(completion) })] : []),
        sse('[DONE]'),
      ].join('')
    },
    whole(completion) {
      const calls = callsOf(completion)
      const content = completion.text === '' && calls.length > 0 ? null : completion.text
      const message = { role: 'assistant', content, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) }
      const choice = { index: 0, message, logprobs: null, finish_reason: FINISH[completion.stopReason] }
      return { id: `chatcmpl-${id}`, object: 'chat.completion', created, model, choices: [choice], usage: usageOf(completion) }
    },
  }
}

const callsOf = ({ toolCalls }: Completion) =>
  toolCalls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } }))

function usageOf({ usage: { inputTokens, outputTokens, cacheReadTokens = 0 } }: Completion): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  }
}
