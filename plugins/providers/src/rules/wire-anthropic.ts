import { defined } from '@gateway/sdk'
import { count, type Draft, fail, list, object, readObject, refuseReport, text, type Wire } from './answer.ts'

const STOPS: ReadonlyMap<unknown, Draft['stopReason']> = new Map([
  ['max_tokens', 'length'],
  ['refusal', 'filtered'],
])

/** `/v1/messages`. */
export const anthropic: Wire = {
  path: '/v1/messages',
  headers: (apiKey) => ({ 'anthropic-version': '2023-06-01', ...(apiKey !== undefined && { 'x-api-key': apiKey }) }),
  body: ({ model, system, messages, maxTokens }) => ({
    model,
    ...defined({ system }),
    messages,
    max_tokens: maxTokens,
    stream: true,
  }),
  readEvent(draft, data) {
    const event = readObject(data)
    switch (event.type) {
      case 'error':
        refuseReport(event.error ?? 'error')
        return ''
      case 'message_start':
        readUsage(draft, object(event.message)?.usage)
        return ''
      case 'content_block_delta': {
        const added = text(object(event.delta)?.text) ?? ''
        draft.text += added
        return added
      }
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
    const came = readObject(body)
    refuseReport(came.error)
    if (!Array.isArray(came.content)) fail('it has no content')
    draft.text = list(came.content)
      .map((block) => text(object(block)?.text) ?? '')
      .join('')
    readStop(draft, came.stop_reason)
    readUsage(draft, came.usage)
    draft.done = true
    return draft.text
  },
}

function readStop(draft: Draft, stop: unknown): void {
  if (text(stop) !== undefined) draft.stopReason = STOPS.get(stop) ?? 'end'
}

/** Told in parts: the prompt with the start, the answer with the end. What came out of a cache was read, and counts. */
function readUsage(draft: Draft, came: unknown): void {
  const usage = object(came)
  const input = count(usage?.input_tokens)
  const cached = (count(usage?.cache_read_input_tokens) ?? 0) + (count(usage?.cache_creation_input_tokens) ?? 0)
  const output = count(usage?.output_tokens)
  draft.usage = {
    inputTokens: input === undefined ? draft.usage.inputTokens : input + cached,
    outputTokens: output ?? draft.usage.outputTokens,
  }
}
