import { addUsage, count, fail, object, readObject, refuseReport, type Wire } from './answer.ts'
import { openai } from './wire-openai.ts'

/** `/embeddings`: the body is the caller's own, and the answer comes in one piece. */
export const embeddings: Wire = {
  path: '/embeddings',
  headers: openai.headers,
  body: ({ model }) => ({ model }),
  readEvent: () => fail('it is a stream of events'),
  readWhole(draft, body) {
    const json = readObject(body)
    refuseReport(json.error)
    if (!Array.isArray(json.data)) fail('it has no data')
    addUsage(draft, { inputTokens: count(object(json.usage)?.prompt_tokens) })
    draft.done = true
    return ''
  },
}
