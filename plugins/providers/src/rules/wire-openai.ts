import { count, type Draft, fail, list, object, readObject, refuseReport, text, type Wire } from './answer.ts'
import type { ReportedUsage } from './usage.ts'

const STOPS: ReadonlyMap<unknown, Draft['stopReason']> = new Map([
  ['length', 'length'],
  ['content_filter', 'filtered'],
])

/** `/chat/completions`, which most servers of models speak. */
export const openai: Wire = {
  path: '/chat/completions',
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: ({ model, system, messages, maxTokens, limitField = 'max_tokens' }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages],
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
    const came = readObject(body)
    const added = readChoice(draft, came, 'message')
    if (list(came.choices).length === 0) fail('it has no choices')
    draft.done = true
    return added
  },
}

function readChoice(draft: Draft, came: Readonly<Record<string, unknown>>, part: 'delta' | 'message'): string {
  refuseReport(came.error)
  const usage = object(came.usage)
  if (usage) draft.usage = reported(usage)
  // The last event, that of the usage, has none.
  const choice = object(list(came.choices)[0])
  if (!choice) return ''
  const said = object(choice[part])
  if (part === 'message' && !said) fail('its choice has no message')
  const added = text(said?.content) ?? text(said?.refusal) ?? ''
  draft.text += added
  const stop = text(choice.finish_reason)
  if (stop !== undefined) {
    draft.stopReason = STOPS.get(stop) ?? 'end'
    draft.done = true
  }
  return added
}

const reported = (usage: Readonly<Record<string, unknown>>): ReportedUsage => ({
  inputTokens: count(usage.prompt_tokens),
  outputTokens: count(usage.completion_tokens),
})
