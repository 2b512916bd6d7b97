import type { Offered } from '@gateway/kernel'
import type { RawContent, RawHttp, RawRoute } from '@gateway/sdk'
import { published } from '@gateway/sdk/portable'
import { parseBinding } from '../bindings.ts'
import type { Json } from './json.ts'
import type { Describe } from './operation.ts'
import { errorResponses, facts, parameters } from './tools.ts'

/** Routes that do not describe their exchange may answer anything. */
const UNDESCRIBED: RawHttp = { answer: { status: 200, description: 'Done.' } }

/** Describes a raw route: path and query as any route has them, headers, body and answer as the route declares them. */
export function rawBinding({ plugin, item }: Offered<RawRoute>): Describe {
  const { headers = {}, body, answer } = item.http ?? UNDESCRIBED
  return (components) => {
    const { properties = {}, required = [] } = components.add(item)
    const { params } = parseBinding(item.rest)
    const fromHeaders = Object.entries(headers).map(([name, { description, required = false }]) => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    }))
    return {
      ...facts(item, plugin),
      operationId: item.name,
      parameters: [...parameters({ params, properties, required }), ...fromHeaders],
      ...(body && { requestBody: { required: true, content: contentOf(body) } }),
      responses: { [answer.status]: answerOf(answer), ...errorResponses(item) },
    }
  }
}

function answerOf({ description, content, headers = {} }: RawHttp['answer']): Json {
  const described = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }])
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...(content && { content: contentOf(content) }),
  }
}

const contentOf = (content: RawContent): Json =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: published(schema) }]))
