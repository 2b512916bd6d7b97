import type { Conversation, Part, Turn } from './conversation.ts'
import { type Json, list, number, object, refuse, refuseOthers, requireObject, text, untranslatable } from './json.ts'
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
  'safety_identifier',
  'stream_options',
  'truncation',
  'text',
  'client_metadata',
])

/** Reads a body of responses. No provider keeps earlier responses here, so all of the conversation must be in `input`. */
export function readResponses(body: Json): Conversation {
  refuseOthers(body, KNOWN)
  const format = object(object(body.text)?.format)?.type
  if (format !== undefined && format !== 'text') untranslatable('text.format')
  if (body.truncation !== undefined && body.truncation !== null && body.truncation !== 'disabled') untranslatable('truncation')
  const system = typeof body.instructions === 'string' ? [body.instructions] : []
  const turns: Turn[] = []
  if (typeof body.input === 'string') turns.push({ role: 'user', parts: [{ kind: 'text', text: body.input }] })
  else if (!Array.isArray(body.input)) refuse('input', 'must be a text or a list.')
  for (const [at, one] of list(body.input).entries()) {
    const item = requireObject(one, `input[${at}]`)
    if (item.role === 'system' || item.role === 'developer') system.push(partsOf(item.content, `input[${at}].content`).map(plain).join(''))
    else turns.push(...itemOf(item, `input[${at}]`))
  }
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    turns,
    tools: [...toolsOf(body.tools).values()].map(({ tool }) => tool),
    toolChoice: choiceOf(body.tool_choice),
    parallelCalls: body.parallel_tool_calls === false ? false : undefined,
    maxTokens: number(body, 'max_output_tokens'),
    temperature: number(body, 'temperature'),
    topP: number(body, 'top_p'),
  }
}

const plain = (part: Part): string => (part.kind === 'text' ? part.text : untranslatable('input'))

function itemOf(item: Json, where: string): readonly Turn[] {
  switch (item.type ?? 'message') {
    case 'message': {
      const role = item.role === 'assistant' ? 'assistant' : 'user'
      return [{ role, parts: partsOf(item.content, `${where}.content`) }]
    }
    case 'function_call':
      return [called(item, flatName(String(item.name), text(item.namespace)), text(item.arguments) ?? '{}')]
    case 'custom_tool_call':
      return [called(item, flatName(String(item.name), text(item.namespace)), customArguments(item.input))]
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const said = typeof item.output === 'string' ? item.output : partsOf(item.output, `${where}.output`).map(plain).join('')
      return [{ role: 'user', parts: [{ kind: 'result', callId: String(item.call_id), text: said }] }]
    }
    // Reasoning is of the model that wrote it.
    case 'reasoning':
      return []
    default:
      return untranslatable(`${where}.${String(item.type)}`)
  }
}

const called = (item: Json, name: string, given: string): Turn => ({
  role: 'assistant',
  parts: [{ kind: 'call', id: String(item.call_id), name, arguments: given }],
})

function partsOf(content: unknown, where: string): readonly Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return list(content).map((one, at): Part => {
    const { type, text: said, image_url: url } = object(one) ?? {}
    if ((type === 'input_text' || type === 'output_text') && typeof said === 'string') return { kind: 'text', text: said }
    if (type === 'input_image' && typeof url === 'string') return { kind: 'image', url }
    return untranslatable(`${where}[${at}].${String(type)}`)
  })
}
