import type { RelayLimits } from '@gateway/plugin-providers/api'
import { defined } from '@gateway/sdk'
import { type ContentPart, type Conversation, joined, type Part, type Turn, textIn } from './conversation.ts'

type LimitField = RelayLimits['limitField']

/** The body of chat completions for a conversation. It is always streamed. */
export function writeChat(conversation: Conversation, model: string, limitField: LimitField): object {
  const { system, turns, tools, toolChoice, parallelCalls, maxTokens, temperature, topP, stop, format } = conversation
  return {
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...joined(turns).flatMap(messagesOf)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input, strict }) => ({
        type: 'function',
        function: { name, ...defined({ description }), parameters: input, ...(strict && { strict }) },
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

/** Each result is a message of its own, before their images and what the user adds. */
function messagesOf({ role, parts }: Turn): readonly object[] {
  const results = parts.filter((part) => part.kind === 'result')
  const calls = parts.flatMap((part) =>
    part.kind === 'call' ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } }] : [],
  )
  const said = [...results.flatMap(imagesOf), ...parts.filter((part) => part.kind === 'text' || part.kind === 'image')]
  const first = results.map((part) => ({ role: 'tool', tool_call_id: part.callId, content: resultText(part.said) }))
  if (said.length === 0 && calls.length === 0) return first
  const content = said.length === 0 ? null : contentOf(said)
  return [...first, { role, content, ...(calls.length > 0 && { tool_calls: calls }) }]
}

type Result = Extract<Part, { readonly kind: 'result' }>

/** Results of tools are texts on this wire, so that the user shows their images. */
function imagesOf({ callId, said }: Result): readonly ContentPart[] {
  const images = said.filter(({ kind }) => kind === 'image')
  return images.length === 0 ? [] : [{ kind: 'text', text: `Images in the result of the tool call ${callId}:` }, ...images]
}

/** Some servers refuse a result without a text. */
const resultText = (said: readonly ContentPart[]): string =>
  textIn(said) || (said.length === 0 ? '' : 'The result is in the next message, as images.')

function contentOf(parts: readonly ContentPart[]): string | readonly object[] {
  if (parts.every(({ kind }) => kind === 'text')) return textIn(parts)
  return parts.map((part) =>
    part.kind === 'image' ? { type: 'image_url', image_url: { url: part.url } } : { type: 'text', text: part.text },
  )
}
