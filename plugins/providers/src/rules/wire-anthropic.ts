import { defined } from '@gateway/sdk'
import { addUsage, contentText, count, type Draft, fail, list, object, readObject, refuseReport, text, type Wire } from './answer.ts'
import type { ModelMessage, ModelTool } from './messages.ts'
import { factorOf } from './service-tier.ts'
import { addToolCall } from './tool-calls.ts'

const STOPS: ReadonlyMap<unknown, Draft['stopReason']> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  // A tool that the vendor runs has reached its limit: the answer is unfinished.
  ['pause_turn', 'length'],
  ['refusal', 'filtered'],
  ['tool_use', 'tools'],
])

/** `/v1/messages`. */
export const anthropic: Wire = {
  path: '/v1/messages',
  headers: (apiKey) => ({ 'anthropic-version': '2023-06-01', ...(apiKey !== undefined && { 'x-api-key': apiKey }) }),
  body: ({ model, system, messages, tools = [], maxTokens }) => ({
    model,
    ...defined({ system }),
    messages: messages.map(messageFor),
    ...(tools.length > 0 && { tools: tools.map(toolFor) }),
    max_tokens: maxTokens,
    stream: true,
  }),
  count: {
    path: '/v1/messages/count_tokens',
    // A prompt has tokens: 0 is of a server that does not count.
    read: (body) => count(readObject(body).input_tokens) || undefined,
  },
  readEvent(draft, data) {
    const event = readObject(data)
    switch (event.type) {
      case 'error':
        refuseReport(event.error ?? 'error')
        return ''
      case 'message_start':
        // Its count of the answer is a placeholder.
        readPrompt(draft, object(event.message)?.usage)
        return ''
      case 'content_block_start':
        readToolUse(draft, object(event.content_block), count(event.index))
        return readBlocks(draft, [event.content_block])
      case 'content_block_delta':
        readToolInput(draft, object(event.delta), count(event.index))
        return readBlocks(draft, [event.delta])
      case 'message_delta':
        readStop(draft, object(event.delta)?.stop_reason)
        readUsage(draft, event.usage)
        return ''
      case 'message_stop':
        draft.done = true
        return ''
      default:
        if (text(event.type) === undefined) fail('an event has no type')
        return ''
    }
  },
  readWhole(draft, body) {
    const json = readObject(body)
    refuseReport(json.error)
    if (!Array.isArray(json.content) && typeof json.content !== 'string') fail('it has no content')
    readBlocks(draft, json.content)
    for (const [index, block] of list(json.content).entries()) readToolUse(draft, object(block), index)
    readStop(draft, json.stop_reason)
    readUsage(draft, json.usage)
    draft.done = true
    return draft.text
  },
}

const toolFor = ({ name, description, input }: ModelTool) => ({ name, description, input_schema: input })

/** Calls and results are blocks of messages. */
function messageFor(message: ModelMessage): object {
  if (message.role === 'tool') {
    const blocks = message.results.map(({ callId, content, isError }) => ({
      type: 'tool_result',
      tool_use_id: callId,
      content,
      ...(isError && { is_error: true }),
    }))
    return { role: 'user', content: blocks }
  }
  const { role, content } = message
  if (!('toolCalls' in message)) return { role, content }
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_use', id, name, input: inputOf(given) }))
  return { role, content: [...(content.trim() === '' ? [] : [{ type: 'text', text: content }]), ...calls] }
}

/** The wire accepts only objects: arguments of another type are left out, and their result says that they were refused. */
function inputOf(given: string): object {
  try {
    return object(JSON.parse(given)) ?? {}
  } catch {
    return {}
  }
}

/** Reads the beginning of a call. Its input is empty while it is streamed, else whole. */
function readToolUse(draft: Draft, block: ReturnType<typeof object>, index: number | undefined): void {
  if (block?.type !== 'tool_use') return
  const input = object(block.input) ?? {}
  const whole = Object.keys(input).length > 0 ? JSON.stringify(input) : ''
  addToolCall(draft, { index, id: text(block.id), name: text(block.name), arguments: whole })
}

function readToolInput(draft: Draft, delta: ReturnType<typeof object>, index: number | undefined): void {
  if (delta?.type === 'input_json_delta') addToolCall(draft, { index, arguments: text(delta.partial_json) })
}

function readStop(draft: Draft, stop: unknown): void {
  if (text(stop) !== undefined) draft.stopReason = STOPS.get(stop) ?? 'end'
}

/** Adds the text of blocks, or of deltas of blocks, to the draft, and returns it. */
function readBlocks(draft: Draft, blocks: unknown): string {
  const added = contentText(blocks)
  draft.text += added
  for (const block of list(blocks)) draft.hiddenCharacters += (text(object(block)?.thinking) ?? '').length
  return added
}

function readUsage(draft: Draft, json: unknown): void {
  readPrompt(draft, json)
  addUsage(draft, { outputTokens: count(object(json)?.output_tokens) })
}

/** Reads the counts of the prompt. Tokens that a cache holds are not part of `input_tokens`. */
function readPrompt(draft: Draft, json: unknown): void {
  const usage = object(json)
  const written = object(usage?.cache_creation)
  const [minutes = 0, hour = 0] = [count(written?.ephemeral_5m_input_tokens), count(written?.ephemeral_1h_input_tokens)]
  addUsage(draft, {
    uncachedTokens: count(usage?.input_tokens),
    cacheReadTokens: count(usage?.cache_read_input_tokens),
    cacheWriteTokens: count(usage?.cache_creation_input_tokens) || minutes + hour,
    cacheWrite1hTokens: hour,
    priceFactor: factorOf(usage?.speed),
  })
}
