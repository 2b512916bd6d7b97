import { addToolCall, type Draft, Malformed, type ModelMessage, type ModelWire, ReportedFailure } from '@gateway/plugin-providers/api'

interface Answer {
  readonly message?: { readonly content?: string; readonly tool_calls?: readonly { readonly function?: Called }[] }
  readonly done_reason?: string
  readonly prompt_eval_count?: number
  readonly eval_count?: number
  readonly error?: string
}
interface Called {
  readonly name?: string
  readonly arguments?: object
}

/** `POST /api/chat`. The answer comes in one piece: Ollama streams lines of JSON, not events. */
export const ollama: ModelWire = {
  name: 'ollama',
  path: '/api/chat',
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: ({ model, system, messages, tools = [], maxTokens }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages.flatMap(messageFor)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: input } })),
    }),
    options: { num_predict: maxTokens },
    stream: false,
  }),
  readEvent() {
    throw new Malformed('it is a stream of events')
  },
  readWhole(draft, body) {
    const answer = parsed(body)
    if (answer.error !== undefined) throw new ReportedFailure('error', answer.error)
    if (answer.message === undefined) throw new Malformed('it has no message')
    const text = answer.message.content ?? ''
    draft.text += text
    for (const [index, call] of (answer.message.tool_calls ?? []).entries()) readCall(draft, index, call.function)
    draft.usage.inputTokens = answer.prompt_eval_count
    draft.usage.outputTokens = answer.eval_count
    draft.stopReason = answer.done_reason === 'length' ? 'length' : draft.toolCalls.length > 0 ? 'tools' : 'end'
    draft.done = true
    return text
  },
}

function parsed(body: string): Answer {
  try {
    return JSON.parse(body) as Answer
  } catch {
    throw new Malformed('it is no JSON')
  }
}

/** Ollama gives tool calls no ids. */
function readCall(draft: Draft, index: number, { name, arguments: given = {} }: Called = {}): void {
  addToolCall(draft, { index, id: `call-${index}`, name, arguments: JSON.stringify(given) })
}

function messageFor(message: ModelMessage): readonly object[] {
  if (message.role === 'tool') return message.results.map(({ content }) => ({ role: 'tool', content }))
  const { role, content } = message
  if (!('toolCalls' in message)) return [{ role, content }]
  return [
    {
      role,
      content,
      tool_calls: message.toolCalls.map((call) => ({ function: { name: call.name, arguments: objectOf(call.arguments) } })),
    },
  ]
}

/** Arguments that a model wrote need not be JSON. */
function objectOf(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
