import { defined } from '@gateway/sdk'
import { addUsage, contentText, count, type Draft, fail, list, object, readObject, refuseReport, text, type Wire } from './answer.ts'

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
        // Its count of the answer is a placeholder.
        readPrompt(draft, object(event.message)?.usage)
        return ''
      case 'content_block_start':
        return readBlocks(draft, [event.content_block])
      case 'content_block_delta':
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
    const came = readObject(body)
    refuseReport(came.error)
    if (!Array.isArray(came.content) && typeof came.content !== 'string') fail('it has no content')
    readBlocks(draft, came.content)
    readStop(draft, came.stop_reason)
    readUsage(draft, came.usage)
    draft.done = true
    return draft.text
  },
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

function readUsage(draft: Draft, came: unknown): void {
  readPrompt(draft, came)
  addUsage(draft, { outputTokens: count(object(came)?.output_tokens) })
}

/** Reads the counts of the prompt. Tokens that a cache holds are not part of `input_tokens`. */
function readPrompt(draft: Draft, came: unknown): void {
  const usage = object(came)
  addUsage(draft, {
    uncachedTokens: count(usage?.input_tokens),
    cacheReadTokens: count(usage?.cache_read_input_tokens),
    cacheWriteTokens: count(usage?.cache_creation_input_tokens),
  })
}
