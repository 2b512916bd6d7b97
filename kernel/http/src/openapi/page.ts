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

/** A page that belongs to no plugin, as the OpenAPI document has it: `gateway/{id}`. */
export function page(id: string, description: string, { responses, security = [], parameters = [] }: Page): FastifySchema {
  const operationId = `gateway/${id}`
  return {
    describe: () => ({ operationId, summary: description, description, tags: ['gateway'], security, parameters, responses }),
  }
}
