import type { FastifySchema } from 'fastify'
import type { Json } from './operation.ts'

/** Words for the descriptions of the gateway’s own pages. */

export const text = { type: 'string' }
export const count = { type: 'integer', minimum: 0 }
/** All properties required. */
export const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
export const answer = (description: string, schema: Json, type = 'application/json') => ({ description, content: { [type]: { schema } } })

export interface Page {
  /** By status. */
  readonly responses: Json
  /** Default: no credential. */
  readonly security?: readonly Json[]
  readonly parameters?: readonly Json[]
}

/** A page that belongs to no plugin, as the OpenAPI document has it: `gateway/{id}`. What only the running gateway knows is asked for when the document is made. */
export function page(id: string, description: string, known: Page | (() => Page)): FastifySchema {
  const operationId = `gateway/${id}`
  return {
    describe() {
      const { responses, security = [], parameters = [] } = typeof known === 'function' ? known() : known
      return { operationId, summary: description, description, tags: ['gateway'], security, parameters, responses }
    },
  }
}
