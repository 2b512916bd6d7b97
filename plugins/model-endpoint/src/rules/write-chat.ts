import type { RelayLimits } from '@gateway/plugin-providers/api'
import { defined } from '@gateway/sdk'
import { type Conversation, joined, type Part, type Turn } from './conversation.ts'

type LimitField = RelayLimits['limitField']

/** The body of chat completions for a conversation. It is always streamed. */
export function writeChat(conversation: Conversation, model: string, limitField: LimitField): object {
  const { system, turns, tools, toolChoice, parallelCalls, maxTokens, temperature, topP, stop, format } = conversation
  return {
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...joined(turns).flatMap(messagesOf)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: 'function',
        function: { name, ...defined({ description }), parameters: input },
      })),
      ...defined({ parallel_tool_calls: parallelCalls }),
      ...(toolChoice !== undefined && {
        tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.name } },
      }),
    }),
    ...(format && { response_format: { type: 'json_schema', json_schema: format } }),
    ...defined({ [limitField]: maxTokens, temperature, top_p: topP, stop }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

/** Each result is a message of its own, before what the user adds. */
function messagesOf({ role, parts }: Turn): readonly object[] {
  const results = parts.flatMap((part) => (part.kind === 'result' ? [{ role: 'tool', tool_call_id: part.callId, content: part.text }] : []))
  const calls = parts.flatMap((part) =>
    part.kind === 'call' ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } }] : [],
  )
  const said = parts.filter(({ kind }) => kind === 'text' || kind === 'image')
  if (said.length === 0 && calls.length === 0) return results
  const content = said.length === 0 ? null : contentOf(said)
  return [...results, { role, content, ...(calls.length > 0 && { tool_calls: calls }) }]
}

function contentOf(parts: readonly Part[]): string | readonly object[] {
  if (parts.every(({ kind }) => kind === 'text')) return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
  return parts.map((part) =>
    part.kind === 'image'
      ? { type: 'image_url', image_url: { url: part.url } }
      : { type: 'text', text: part.kind === 'text' ? part.text : '' },
  )
}
