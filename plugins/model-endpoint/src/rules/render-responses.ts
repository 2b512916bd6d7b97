import type { Completion } from '@gateway/plugin-providers/api'
import { type Answer, type Renderer, sse } from './renderer.ts'

export function renderResponses({ id, model, created }: Answer): Renderer {
  let sequence = 0
  let said = ''
  const event = (type: string, more: object): string => sse({ type, sequence_number: sequence++, ...more }, type)
  const messageId = `msg_${id}`
  const at = { item_id: messageId, output_index: 0, content_index: 0 }
  const part = (text: string) => ({ type: 'output_text', text, annotations: [] })
  const messageItem = (status: string, text?: string) => ({
    id: messageId,
    type: 'message',
    status,
    role: 'assistant',
    content: text === undefined ? [] : [part(text)],
  })
  const response = (status: string, output: readonly object[], more: object = {}) => ({
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status,
    error: null,
    incomplete_details: null,
    model,
    output,
    parallel_tool_calls: true,
    tools: [],
    usage: null,
    ...more,
  })
  const callItems = ({ toolCalls }: Completion) =>
    toolCalls.map(({ id: callId, name, arguments: given }) => ({
      id: `fc_${callId}`,
      type: 'function_call',
      status: 'completed',
      call_id: callId,
      name,
      arguments: given,
    }))
  const ended = (completion: Completion) => {
    const output = [...(completion.text === '' ? [] : [messageItem('completed', completion.text)]), ...callItems(completion)]
    const reason = completion.stopReason === 'length' ? 'max_output_tokens' : 'content_filter'
    const cut = completion.stopReason === 'length' || completion.stopReason === 'filtered'
    return response(cut ? 'incomplete' : 'completed', output, {
      usage: usageOf(completion),
      ...(cut && { incomplete_details: { reason } }),
    })
  }
  return {
    begin: () =>
      event('response.created', { response: response('in_progress', []) }) +
      event('response.in_progress', { response: response('in_progress', []) }),
    delta(text) {
      const opens =
        said === ''
          ? event('response.output_item.added', { output_index: 0, item: messageItem('in_progress') }) +
            event('response.content_part.added', { ...at, part: part('') })
          : ''
      said += text
      return opens + event('response.output_text.delta', { ...at, delta: text, logprobs: [] })
    },
    end(completion) {
      const first = said === '' ? 0 : 1
      const closes =
        said === ''
          ? ''
          : event('response.output_text.done', { ...at, text: said, logprobs: [] }) +
            event('response.content_part.done', { ...at, part: part(said) }) +
            event('response.output_item.done', { output_index: 0, item: messageItem('completed', said) })
      const calls = callItems(completion).map((item, n) => {
        const where = { item_id: item.id, output_index: first + n }
        return (
          event('response.output_item.added', { output_index: first + n, item: { ...item, status: 'in_progress', arguments: '' } }) +
          event('response.function_call_arguments.delta', { ...where, delta: item.arguments }) +
          event('response.function_call_arguments.done', { ...where, name: item.name, arguments: item.arguments }) +
          event('response.output_item.done', { output_index: first + n, item })
        )
      })
      const last = ended(completion)
      return [closes, ...calls, event(`response.${last.status}`, { response: last })].join('')
    },
    whole: ended,
  }
}

function usageOf({ usage: { inputTokens, outputTokens, cacheReadTokens = 0 } }: Completion): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}
