import { saidAt, textAlone, textsJoined } from './content.ts'
import type { ContentPart, Conversation, Turn } from './conversation.ts'
import {
  argumentsAt,
  flag,
  formatAt,
  type Json,
  number,
  refuse,
  refuseOthers,
  requireObject,
  text,
  textAt,
  untranslatable,
} from './json.ts'
import { choiceOf } from './read-chat.ts'
import { customArguments, flatName, toolsOf } from './tools-of-responses.ts'

/** Members that are translated, and hints whose loss changes no answer. */
const KNOWN = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'stream',
  'store',
  'metadata',
  'user',
  'service_tier',
  'reasoning',
  'include',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'stream_options',
  'truncation',
  'text',
  'client_metadata',
])

/** Reads a body of responses. No provider keeps earlier responses here, so all of the conversation must be in `input`. */
export function readResponses(body: Json): Conversation {
  for (const name of ['previous_response_id', 'conversation'])
    if ((body[name] ?? null) !== null)
      refuse(name, 'names what a server would have stored; none is kept here, so send the whole conversation as `input`.')
  refuseOthers(body, KNOWN, { background: false, top_logprobs: 0 })
  const shape = (body.text ?? null) === null ? undefined : requireObject(body.text, 'text').format
  if (body.truncation !== undefined && body.truncation !== null && body.truncation !== 'disabled') untranslatable('truncation')
  const { instructions = null } = body
  if (instructions !== null && typeof instructions !== 'string') refuse('instructions', 'must be a text.')
  const system = instructions === null ? [] : [instructions]
  const turns: Turn[] = []
  if (typeof body.input === 'string') turns.push({ role: 'user', parts: partsOf(body.input, 'input') })
  else if (!Array.isArray(body.input)) refuse('input', 'must be a text or a list.')
  for (const [at, one] of (Array.isArray(body.input) ? body.input : []).entries()) {
    const item = requireObject(one, `input[${at}]`)
    if (item.role === 'system' || item.role === 'developer') system.push(textAlone(item.content, `input[${at}].content`, partOf))
    else turns.push(...itemOf(item, `input[${at}]`))
  }
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    turns,
    tools: [...toolsOf(body.tools).values()].map(({ tool }) => tool),
    toolChoice: choiceOf(body.tool_choice),
    parallelCalls: flag(body, 'parallel_tool_calls') === false ? false : undefined,
    maxTokens: number(body, 'max_output_tokens'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
    format: formatAt(shape, 'text.format'),
  }
}

function itemOf(item: Json, where: string): readonly Turn[] {
  switch (item.type ?? 'message') {
    case 'message': {
      const { role } = item
      if (role !== 'user' && role !== 'assistant') return refuse(`${where}.role`, 'must be system, developer, user or assistant.')
      return [{ role, parts: partsOf(item.content, `${where}.content`) }]
    }
    case 'function_call':
      return [called(item, where, argumentsAt(item.arguments, `${where}.arguments`))]
    case 'custom_tool_call':
      return [called(item, where, customArguments(item.input))]
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const said = textsJoined(partsOf(item.output, `${where}.output`))
      return [{ role: 'user', parts: [{ kind: 'result', callId: textAt(item.call_id, `${where}.call_id`), said }] }]
    }
    // Reasoning is of the model that wrote it.
    case 'reasoning':
      return []
    default:
      return untranslatable(`${where}.${String(item.type)}`)
  }
}

function called(item: Json, where: string, given: string): Turn {
  const name = flatName(textAt(item.name, `${where}.name`), text(item.namespace))
  return { role: 'assistant', parts: [{ kind: 'call', id: textAt(item.call_id, `${where}.call_id`), name, arguments: given }] }
}

const partsOf = (content: unknown, where: string): readonly ContentPart[] => saidAt(content, where, partOf)

function partOf({ type, text: said, refusal, image_url: url }: Json): ContentPart | undefined {
  if (type === 'refusal' && typeof refusal === 'string') return { kind: 'text', text: refusal }
  if ((type === 'input_text' || type === 'output_text') && typeof said === 'string') return { kind: 'text', text: said }
  return type === 'input_image' && typeof url === 'string' ? { kind: 'image', url } : undefined
}
