import { defined } from '@gateway/sdk'
import { type ContentPart, type Conversation, joined, type Part, type Turn, textIn } from './conversation.ts'
import { object } from './json.ts'

/** The body of messages for a conversation. It is always streamed. The wire demands a limit: `most` is for clients that gave none. */
export function writeMessages(conversation: Conversation, model: string, most: number): object {
  const { system, turns, tools, toolChoice, parallelCalls, maxTokens = most, temperature, topP, stop, format } = conversation
  const choice = toolChoice === undefined ? (parallelCalls === false ? { type: 'auto' } : undefined) : choiceFor(toolChoice)
  // A choice of no tool takes no other member.
  const isSerial = parallelCalls === false && toolChoice !== 'none'
  const said = joined(turns.map(withoutBlanks))
  return {
    model,
    ...(system?.trim() && { system }),
    messages: (said.length > 0 ? said : joined(turns)).map(({ role, parts }) => ({ role, content: parts.map(blockOf) })),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input, strict }) => ({
        name,
        ...defined({ description }),
        input_schema: input,
        ...(strict && { strict }),
      })),
      ...(choice && { tool_choice: { ...choice, ...(isSerial && { disable_parallel_tool_use: true }) } }),
    }),
    max_tokens: maxTokens,
    ...(format && { output_config: { format: { type: 'json_schema', schema: format.schema } } }),
    ...defined({ temperature, top_p: topP, stop_sequences: stop }),
    stream: true,
  }
}

/** The wire refuses blocks of text without a visible character. A conversation that has nothing else is left to the provider to refuse. */
const withoutBlanks = ({ role, parts }: Turn): Turn => ({ role, parts: parts.filter(isVisible) })

const isVisible = (part: Part): boolean => part.kind !== 'text' || part.text.trim() !== ''

function choiceFor(choice: NonNullable<Conversation['toolChoice']>): object {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}

function blockOf(part: Part): object {
  switch (part.kind) {
    case 'text':
    case 'image':
      return saidBlock(part)
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: inputOf(part.arguments) }
    case 'result':
      return { type: 'tool_result', tool_use_id: part.callId, content: resultOf(part.said), ...(part.isError && { is_error: true }) }
  }
}

const saidBlock = (part: ContentPart): object =>
  part.kind === 'text' ? { type: 'text', text: part.text } : { type: 'image', source: sourceOf(part.url) }

const resultOf = (said: readonly ContentPart[]): string | readonly object[] =>
  said.some(({ kind }) => kind === 'image') ? said.filter(isVisible).map(saidBlock) : textIn(said)

function sourceOf(url: string): object {
  const inline = /^data:([^;,]+);base64,/.exec(url)
  return inline ? { type: 'base64', media_type: inline[1], data: url.slice(inline[0].length) } : { type: 'url', url }
}

/** The wire takes objects only. */
function inputOf(given: string): object {
  try {
    return object(JSON.parse(given)) ?? {}
  } catch {
    return {}
  }
}
