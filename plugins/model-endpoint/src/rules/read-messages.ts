import type { Conversation, Part, Tool, Turn } from './conversation.ts'
import { type Json, list, number, object, refuse, refuseOthers, requireObject, text, texts, untranslatable } from './json.ts'

/** Members that are translated, and hints whose loss changes no answer. */
const KNOWN = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'stop_sequences',
  'stream',
  'metadata',
  'service_tier',
  'thinking',
  'context_management',
  'output_config',
])

export function readMessages(body: Json): Conversation {
  refuseOthers(body, KNOWN)
  if (!Array.isArray(body.messages)) refuse('messages', 'must be a list.')
  const system = textOf(body.system, 'system')
  const choice = object(body.tool_choice)
  return {
    system: system === '' ? undefined : system,
    turns: list(body.messages).map((one, at) => turnOf(requireObject(one, `messages[${at}]`), `messages[${at}].content`)),
    tools: list(body.tools).map((tool, at) => toolOf(requireObject(tool, `tools[${at}]`), `tools[${at}]`)),
    toolChoice: choice && choiceOf(choice),
    parallelCalls: choice?.disable_parallel_tool_use === true ? false : undefined,
    maxTokens:
      number(body, 'max_tokens') || refuse('max_tokens', 'must be a number of tokens, at least 1 for a provider of the other wire.'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
    stop: texts(body, 'stop_sequences'),
  }
}

function choiceOf({ type, name }: Json): Conversation['toolChoice'] {
  if (type === 'auto' || type === 'none') return type
  if (type === 'any') return 'required'
  return type === 'tool' && typeof name === 'string' ? { name } : untranslatable('tool_choice')
}

function turnOf({ role, content }: Json, where: string): Turn {
  if (role !== 'user' && role !== 'assistant') return refuse('role', 'must be user or assistant.')
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
  return { role, parts: blocks.flatMap((block, at) => partOf(requireObject(block, `${where}[${at}]`), `${where}[${at}]`)) }
}

function partOf(block: Json, where: string): readonly Part[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: text(block.text) ?? '' }]
    case 'image':
      return [{ kind: 'image', url: imageUrl(object(block.source) ?? {}, where) }]
    case 'tool_use':
      return [{ kind: 'call', id: String(block.id), name: String(block.name), arguments: JSON.stringify(block.input ?? {}) }]
    case 'tool_result':
      return [resultOf(block, where)]
    // Reasoning is of the model that wrote it.
    case 'thinking':
    case 'redacted_thinking':
      return []
    default:
      return untranslatable(`${where}.${String(block.type)}`)
  }
}

const resultOf = (block: Json, where: string): Part => ({
  kind: 'result',
  callId: String(block.tool_use_id),
  text: textOf(block.content, `${where}.content`),
  ...(block.is_error === true && { isError: true }),
})

function imageUrl({ type, media_type: media, data, url }: Json, where: string): string {
  if (type === 'base64') return `data:${String(media)};base64,${String(data)}`
  return type === 'url' && typeof url === 'string' ? url : untranslatable(`${where}.source`)
}

function textOf(content: unknown, where: string): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((one, at) => {
      const block = object(one)
      return block?.type === 'text' ? (text(block.text) ?? '') : untranslatable(`${where}[${at}].${String(block?.type)}`)
    })
    .join('\n')
}

function toolOf(tool: Json, where: string): Tool {
  const { name, description, input_schema: input, type } = tool
  if (typeof name !== 'string' || (type !== undefined && type !== 'custom')) return untranslatable(`${where}.${String(type)}`)
  return { name, description: text(description), input: input ?? { type: 'object', properties: {} } }
}
