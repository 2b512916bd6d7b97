import { addUsage, contentText, count, type Draft, fail, list, object, readObject, refuseReport, text, type Wire } from './answer.ts'
import type { ModelMessage, ModelTool } from './messages.ts'
import { factorOf } from './service-tier.ts'
import { addToolCall, argumentsOf } from './tool-calls.ts'

const STOPS: ReadonlyMap<unknown, Draft['stopReason']> = new Map([
  ['length', 'length'],
  // Mistral says the first when the context window is full, DeepSeek the second when the answer was interrupted.
  ['model_length', 'length'],
  ['insufficient_system_resource', 'length'],
  ['content_filter', 'filtered'],
  ['tool_calls', 'tools'],
])

/** `/chat/completions`, which most model servers speak. */
export const openai: Wire = {
  path: '/chat/completions',
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: ({ model, system, messages, tools = [], maxTokens, limitField = 'max_tokens' }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages.flatMap(messageFor)],
    ...(tools.length > 0 && { tools: tools.map(toolFor) }),
    [limitField]: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  }),
  readEvent(draft, data) {
    if (data === '[DONE]') {
      draft.done = true
      return ''
    }
    return readChoice(draft, readObject(data), 'delta')
  },
  readWhole(draft, body) {
    const json = readObject(body)
    const added = readChoice(draft, json, 'message')
    if (list(json.choices).length === 0) fail('it has no choices')
    draft.done = true
    return added
  },
}

const toolFor = ({ name, description, input }: ModelTool) => ({ type: 'function', function: { name, description, parameters: input } })

/** Each result is a message of its own. */
function messageFor(message: ModelMessage): readonly object[] {
  if (message.role === 'tool') return message.results.map(({ callId, content }) => ({ role: 'tool', tool_call_id: callId, content }))
  const { role, content } = message
  if (!('toolCalls' in message)) return [{ role, content }]
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsOf(given) },
  }))
  return [{ role, content: content === '' ? null : content, tool_calls: calls }]
}

function readChoice(draft: Draft, json: Readonly<Record<string, unknown>>, part: 'delta' | 'message'): string {
  refuseReport(json.error)
  readUsage(draft, json.usage)
  addUsage(draft, { priceFactor: factorOf(json.service_tier) })
  // The last event, with the usage, has no choice.
  const choice = object(list(json.choices)[0])
  if (!choice) return ''
  const said = object(choice[part])
  if (part === 'message' && !said) fail('its choice has no message')
  const refusal = refusalIn(said)
  const added = contentText(said?.content) || refusal
  draft.text += added
  draft.hiddenCharacters += (text(said?.reasoning_content) ?? text(said?.reasoning) ?? '').length
  for (const call of list(said?.tool_calls)) readToolCall(draft, object(call))
  if (refusal !== '') draft.stopReason = 'filtered'
  const stop = text(choice.finish_reason)
  if (stop !== undefined) {
    if (draft.stopReason !== 'filtered') draft.stopReason = STOPS.get(stop) ?? 'end'
    draft.done = true
  }
  return added
}

function readToolCall(draft: Draft, call: ReturnType<typeof object>): void {
  const called = object(call?.function)
  if (!called) return
  // Some servers send the arguments as an object.
  const given = object(called.arguments) ? JSON.stringify(called.arguments) : text(called.arguments)
  addToolCall(draft, { index: count(call?.index), id: text(call?.id), name: text(called.name), arguments: given })
}

/** Refusals are next to the content, or among its parts. */
function refusalIn(said: Readonly<Record<string, unknown>> | undefined): string {
  const parts = list(said?.content).map((part) => text(object(part)?.refusal) ?? '')
  return text(said?.refusal) || parts.join('')
}

/** Servers differ in where they report the tokens of caches; all of them include these in `prompt_tokens`. */
function readUsage(draft: Draft, json: unknown): void {
  const usage = object(json)
  const details = object(usage?.prompt_tokens_details)
  addUsage(draft, {
    inputTokens: count(usage?.prompt_tokens),
    cacheReadTokens: count(details?.cached_tokens) ?? count(usage?.prompt_cache_hit_tokens),
    cacheWriteTokens: count(details?.cache_write_tokens) ?? count(usage?.cache_creation_input_tokens),
    outputTokens: answerTokens(usage),
  })
}

/**
 * Tokens of an answer with its reasoning. Vendors differ in whether `completion_tokens` includes the reasoning (OpenAI) or not (xAI, Gemini);
 * in all of them the total does. A server that gives no total is known by more reasoning than answer.
 */
function answerTokens(usage: ReturnType<typeof object>): number | undefined {
  const [prompt, total, said] = [count(usage?.prompt_tokens), count(usage?.total_tokens), count(usage?.completion_tokens)]
  if (prompt && total !== undefined) return Math.max(said ?? 0, total - prompt)
  const reasoning = count(object(usage?.completion_tokens_details)?.reasoning_tokens) ?? 0
  return said !== undefined && reasoning > said ? said + reasoning : said
}
