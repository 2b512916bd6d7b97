import type { Conversation, Part, Tool, Turn } from './conversation.ts'
import { type Json, list, number, object, refuse, refuseOthers, requireObject, text, texts, untranslatable } from './json.ts'

/** Members that are translated, and hints whose loss changes no answer. */
const KNOWN = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'stream',
  'stream_options',
  'user',
  'metadata',
  'store',
  'service_tier',
  'reasoning_effort',
  'prompt_cache_key',
  'safety_identifier',
  'n',
])

export function readChat(body: Json): Conversation {
  refuseOthers(body, KNOWN)
  if (body.n !== undefined && body.n !== 1) untranslatable('n')
  if (!Array.isArray(body.messages)) refuse('messages', 'must be a list.')
  const system: string[] = []
  const turns: Turn[] = []
  for (const [at, one] of list(body.messages).entries()) {
    const message = requireObject(one, `messages[${at}]`)
    const where = `messages[${at}].content`
    if (message.role === 'system' || message.role === 'developer') system.push(textOf(message.content, where))
    else turns.push(turnOf(message, where))
  }
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    turns,
    tools: list(body.tools).map((tool, at) => toolOf(requireObject(tool, `tools[${at}]`), `tools[${at}]`)),
    toolChoice: choiceOf(body.tool_choice),
    parallelCalls: body.parallel_tool_calls === false ? false : undefined,
    maxTokens: number(body, 'max_completion_tokens') ?? number(body, 'max_tokens'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
    stop: typeof body.stop === 'string' ? [body.stop] : texts(body, 'stop'),
  }
}

function turnOf(message: Json, where: string): Turn {
  if (message.role === 'tool') {
    const callId = text(message.tool_call_id) ?? refuse('tool_call_id', 'is missing in the result of a tool.')
    return { role: 'user', parts: [{ kind: 'result', callId, text: textOf(message.content, where) }] }
  }
  if (message.role === 'user') return { role: 'user', parts: partsOf(message.content, where) }
  if (message.role !== 'assistant') return refuse('role', 'must be system, developer, user, assistant or tool.')
  const calls = list(message.tool_calls).map((one): Part => {
    const { id, function: called } = object(one) ?? {}
    const { name, arguments: given } = object(called) ?? {}
    return { kind: 'call', id: String(id), name: String(name), arguments: text(given) ?? '{}' }
  })
  const said = message.content === null || message.content === undefined ? [] : partsOf(message.content, where)
  return { role: 'assistant', parts: [...said, ...calls] }
}

const textOf = (content: unknown, where: string): string =>
  partsOf(content, where)
    .map((part) => (part.kind === 'text' ? part.text : untranslatable(where)))
    .join('')

function partsOf(content: unknown, where: string): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return list(content).map((one, at): Part => {
    const part = requireObject(one, `${where}[${at}]`)
    const said = text(part.text)
    if (part.type === 'text' && said !== undefined) return { kind: 'text', text: said }
    const url = text(object(part.image_url)?.url)
    if (part.type === 'image_url' && url !== undefined) return { kind: 'image', url }
    return untranslatable(`${where}[${at}].${String(part.type)}`)
  })
}

function toolOf(tool: Json, where: string): Tool {
  const { name, description, parameters } = object(tool.function) ?? {}
  if (tool.type !== 'function' || typeof name !== 'string') return untranslatable(`${where}.${String(tool.type)}`)
  return { name, description: text(description), input: parameters ?? { type: 'object', properties: {} } }
}

export function choiceOf(given: unknown): Conversation['toolChoice'] {
  if (given === undefined || given === null) return undefined
  if (given === 'auto' || given === 'none' || given === 'required') return given
  const name = text(object(object(given)?.function)?.name) ?? text(object(given)?.name)
  return name === undefined ? untranslatable('tool_choice') : { name }
}
