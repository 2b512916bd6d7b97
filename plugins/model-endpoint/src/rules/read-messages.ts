import type { ContentPart, Conversation, Part, Tool, Turn } from './conversation.ts'
import {
  contentAt,
  flag,
  formatAt,
  type Json,
  listAt,
  number,
  object,
  refuse,
  refuseOthers,
  requireObject,
  schemaAt,
  text,
  textAt,
  texts,
  untranslatable,
} from './json.ts'

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
  'speed',
  'cache_control',
  'thinking',
  'context_management',
  'output_config',
])

export function readMessages(body: Json): Conversation {
  refuseOthers(body, KNOWN, { mcp_servers: [] })
  if (!Array.isArray(body.messages)) refuse('messages', 'must be a list.')
  const system = textOf(body.system ?? '', 'system')
  const choice = (body.tool_choice ?? undefined) && requireObject(body.tool_choice, 'tool_choice')
  return {
    system: system === '' ? undefined : system,
    turns: body.messages.map((one: unknown, at: number) => turnOf(requireObject(one, `messages[${at}]`), `messages[${at}]`)),
    tools: listAt(body.tools, 'tools').map((tool, at) => toolOf(requireObject(tool, `tools[${at}]`), `tools[${at}]`)),
    toolChoice: choice && choiceOf(choice),
    parallelCalls: choice && flag(choice, 'disable_parallel_tool_use', 'tool_choice.') === true ? false : undefined,
    maxTokens:
      number(body, 'max_tokens') || refuse('max_tokens', 'must be a number of tokens, at least 1 for a provider of the other wire.'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
    stop: texts(body, 'stop_sequences'),
    format: formatAt(object(body.output_config)?.format, 'output_config.format'),
  }
}

function choiceOf({ type, name }: Json): Conversation['toolChoice'] {
  if (type === 'auto' || type === 'none') return type
  if (type === 'any') return 'required'
  return type === 'tool' && typeof name === 'string' ? { name } : untranslatable('tool_choice')
}

function turnOf({ role, content }: Json, where: string): Turn {
  if (role !== 'user' && role !== 'assistant') return refuse(`${where}.role`, 'must be user or assistant.')
  const said = contentAt(content, `${where}.content`)
  const blocks = typeof said === 'string' ? [{ type: 'text', text: said }] : said
  const at = (n: number): string => `${where}.content[${n}]`
  return { role, parts: blocks.flatMap((block, n) => partOf(requireObject(block, at(n)), at(n))) }
}

function partOf(block: Json, where: string): readonly Part[] {
  switch (block.type) {
    case 'text':
    case 'image':
      return saidOf(block, where)
    case 'tool_use':
      return [callOf(block, where)]
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

const callOf = (block: Json, where: string): Part => ({
  kind: 'call',
  id: textAt(block.id, `${where}.id`),
  name: textAt(block.name, `${where}.name`),
  arguments: JSON.stringify(block.input ?? {}),
})

const resultOf = (block: Json, where: string): Part => ({
  kind: 'result',
  callId: textAt(block.tool_use_id, `${where}.tool_use_id`),
  said: resultSaid(block.content ?? '', `${where}.content`),
  ...(block.is_error === true && { isError: true }),
})

function resultSaid(given: unknown, where: string): readonly ContentPart[] {
  const content = contentAt(given, where)
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return content.flatMap((one, at) => saidOf(requireObject(one, `${where}[${at}]`), `${where}[${at}]`))
}

/** A text or an image; an empty text is nothing. */
function saidOf(block: Json, where: string): readonly ContentPart[] {
  if (block.type === 'text') return block.text === '' ? [] : [{ kind: 'text', text: textAt(block.text, `${where}.text`) }]
  if (block.type !== 'image') return untranslatable(`${where}.${String(block.type)}`)
  return [{ kind: 'image', url: imageUrl(requireObject(block.source, `${where}.source`), where) }]
}

function imageUrl({ type, media_type: media, data, url }: Json, where: string): string {
  if (type === 'base64') return `data:${textAt(media, `${where}.source.media_type`)};base64,${textAt(data, `${where}.source.data`)}`
  return type === 'url' && typeof url === 'string' ? url : untranslatable(`${where}.source`)
}

function textOf(given: unknown, where: string): string {
  const content = contentAt(given, where)
  if (typeof content === 'string') return content
  return content
    .map((one, at) => {
      const { type, text: said } = requireObject(one, `${where}[${at}]`)
      if (type !== 'text') return untranslatable(`${where}[${at}].${String(type)}`)
      return said === '' ? '' : textAt(said, `${where}[${at}].text`)
    })
    .join('\n')
}

function toolOf(tool: Json, where: string): Tool {
  const { name, description, input_schema: input, type, allowed_callers: callers } = tool
  if (type !== undefined && type !== null && type !== 'custom') return untranslatable(`${where}.${String(type)}`)
  // A tool that only code at the vendor may call has no equivalent.
  if (Array.isArray(callers) && !callers.includes('direct')) untranslatable(`${where}.allowed_callers`)
  return {
    name: textAt(name, `${where}.name`),
    description: text(description),
    input: schemaAt(input, `${where}.input_schema`),
    strict: flag(tool, 'strict', `${where}.`),
  }
}
