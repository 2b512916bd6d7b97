import { saidAt, textAlone, textsJoined } from './content.ts'
import type { ContentPart, Conversation, Part, Tool, Turn } from './conversation.ts'
import {
  argumentsAt,
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
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'n',
  'response_format',
])

/** Values that ask for nothing, which clients send as defaults. */
const IDLE = {
  frequency_penalty: 0,
  presence_penalty: 0,
  logit_bias: {},
  logprobs: false,
  top_logprobs: 0,
  modalities: ['text'],
}

export function readChat(body: Json): Conversation {
  refuseOthers(body, KNOWN, IDLE)
  if (body.n !== undefined && body.n !== null && body.n !== 1) untranslatable('n')
  if (!Array.isArray(body.messages)) refuse('messages', 'must be a list.')
  const system: string[] = []
  const turns: Turn[] = []
  for (const [at, one] of listAt(body.messages, 'messages').entries()) {
    const where = `messages[${at}]`
    const message = requireObject(one, where)
    if (message.role === 'system' || message.role === 'developer') system.push(textOf(message.content, `${where}.content`))
    else turns.push(turnOf(message, where))
  }
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    turns,
    tools: listAt(body.tools, 'tools').map((tool, at) => toolOf(requireObject(tool, `tools[${at}]`), `tools[${at}]`)),
    toolChoice: choiceOf(body.tool_choice),
    parallelCalls: flag(body, 'parallel_tool_calls') === false ? false : undefined,
    maxTokens: number(body, 'max_completion_tokens') ?? number(body, 'max_tokens'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
    stop: typeof body.stop === 'string' ? [body.stop] : texts(body, 'stop'),
    format: formatAt(body.response_format, 'response_format'),
  }
}

function turnOf(message: Json, where: string): Turn {
  const content = `${where}.content`
  if (message.role === 'tool') {
    const callId = textAt(message.tool_call_id, `${where}.tool_call_id`)
    return { role: 'user', parts: [{ kind: 'result', callId, said: textsJoined(partsOf(message.content, content)) }] }
  }
  if (message.role === 'user') return { role: 'user', parts: partsOf(message.content, content) }
  if (message.role !== 'assistant') return refuse(`${where}.role`, 'must be system, developer, user, assistant or tool.')
  const calls = listAt(message.tool_calls, `${where}.tool_calls`).map((one, at) => callOf(one, `${where}.tool_calls[${at}]`))
  for (const name of ['audio', 'function_call']) if ((message[name] ?? null) !== null) untranslatable(`${where}.${name}`)
  const said = message.content === null || message.content === undefined ? [] : partsOf(message.content, content)
  const refusal = text(message.refusal) ?? ''
  return { role: 'assistant', parts: [...said, ...(refusal === '' ? [] : [{ kind: 'text', text: refusal } as const]), ...calls] }
}

function callOf(given: unknown, where: string): Part {
  const call = requireObject(given, where)
  const called = requireObject(call.function, `${where}.function`)
  return {
    kind: 'call',
    id: textAt(call.id, `${where}.id`),
    name: textAt(called.name, `${where}.function.name`),
    arguments: argumentsAt(called.arguments, `${where}.function.arguments`),
  }
}

const partsOf = (content: unknown, where: string): readonly ContentPart[] => saidAt(content, where, partOf)
const textOf = (content: unknown, where: string): string => textAlone(content, where, partOf)

function partOf({ type, text: said, refusal, image_url: image }: Json): ContentPart | undefined {
  if (type === 'text' && typeof said === 'string') return { kind: 'text', text: said }
  if (type === 'refusal' && typeof refusal === 'string') return { kind: 'text', text: refusal }
  const url = text(object(image)?.url)
  return type === 'image_url' && url !== undefined ? { kind: 'image', url } : undefined
}

function toolOf(tool: Json, where: string): Tool {
  if (tool.type !== 'function') return untranslatable(`${where}.${String(tool.type)}`)
  const called = requireObject(tool.function, `${where}.function`)
  const { name, description, parameters } = called
  return {
    name: textAt(name, `${where}.function.name`),
    description: text(description),
    input: schemaAt(parameters, `${where}.function.parameters`),
    strict: flag(called, 'strict', `${where}.function.`),
  }
}

export function choiceOf(given: unknown): Conversation['toolChoice'] {
  if (given === undefined || given === null) return undefined
  if (given === 'auto' || given === 'none' || given === 'required') return given
  const name = text(object(object(given)?.function)?.name) ?? text(object(given)?.name)
  return name === undefined ? untranslatable('tool_choice') : { name }
}
