import type { Completion } from '@gateway/plugin-providers/api'
import { type Answer, type Renderer, sse } from './renderer.ts'
import { customInput, type ResponsesTool } from './tools-of-responses.ts'

/** Answers of responses, with calls of these tools, which are keyed by their flat names. */
export function renderResponses({ id, model, created }: Answer, tools: ReadonlyMap<string, ResponsesTool>): Renderer {
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
  const callItems = ({ toolCalls }: Completion) => toolCalls.map((call) => callItem(call, tools.get(call.name)))
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
        const [kind, input] =
          item.type === 'function_call'
            ? (['function_call_arguments', { arguments: item.arguments }] as const)
            : (['custom_tool_call_input', { input: item.input }] as const)
        const [[member, whole]] = Object.entries(input) as [[string, string]]
        return (
          event('response.output_item.added', { output_index: first + n, item: { ...item, status: 'in_progress', [member]: '' } }) +
          event(`response.${kind}.delta`, { ...where, delta: whole }) +
          event(`response.${kind}.done`, { ...where, ...(item.type === 'function_call' && { name: item.name }), [member]: whole }) +
          event('response.output_item.done', { output_index: first + n, item })
        )
      })
      const last = ended(completion)
      return [closes, ...calls, event(`response.${last.status}`, { response: last })].join('')
    },
    whole: ended,
  }
}

function callItem({ id: callId, name, arguments: given }: Completion['toolCalls'][number], tool: ResponsesTool | undefined) {
  const call = { status: 'completed', call_id: callId, name: tool?.name ?? name, ...(tool?.namespace && { namespace: tool.namespace }) }
  return tool?.kind === 'custom'
    ? ({ id: `ctc_${callId}`, type: 'custom_tool_call', ...call, input: customInput(given) } as const)
    : ({ id: `fc_${callId}`, type: 'function_call', ...call, arguments: given } as const)
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
