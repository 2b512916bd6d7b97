import type { FastifySchema } from 'fastify'
import type { Json } from './json.ts'

export const text = { type: 'string' }
export const count = { type: 'integer', minimum: 0 }
/** All properties are required. */
export const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
export const answer = (description: string, schema: Json, type = 'application/json') => ({ description, content: { [type]: { schema } } })

export interface Page {
  readonly responses: Json
  /** Default: no credential. */
  readonly security?: readonly Json[]
  readonly parameters?: readonly Json[]
}

/**
 * Describes a page that belongs to no plugin, as `gateway/{id}`. Facts of the running gateway are read when the document is
 * built.
 */
export function page(id: string, description: string, known: Page | (() => Page)): FastifySchema {
  const operationId = `gateway/${id}`
  return {
    describe() {
      const { responses, security = [], parameters = [] } = typeof known === 'function' ? known() : known
      return { operationId, summary: description, description, tags: ['gateway'], security, parameters, responses }
    },
  }
}
