import { AdminDisabled, kernelErrors, RateLimited, TenantSuspended } from '@gateway/kernel'
import type { ErrorSpec, ObjectSchema, Operation, Schema } from '@gateway/sdk'
import { mapSchemas, published } from '@gateway/sdk/portable'
import { httpErrors } from '../errors.ts'
import { idempotencyComponents } from './idempotency.ts'
import { type Json, jsonContent, ref } from './json.ts'
import { securitySchemes } from './security.ts'

export type InputSchema = ObjectSchema & { readonly properties?: Json; readonly required?: readonly string[] }

export const anyCall: readonly ErrorSpec[] = [...httpErrors, AdminDisabled, RateLimited, TenantSuspended, ...kernelErrors]

/** The parts that the operations of a document share: the schemas of tools and routes, the errors, the credentials. */
export class Components {
  readonly #schemas: Record<string, unknown> = {}
  // The kernel's NOT_FOUND also represents the router's.
  readonly #errors = new Map(anyCall.map((error) => [error.code, error]))

  /** Adds `{name}.input`, `{name}.output` and the errors of a tool or a route. Returns the input as the document has it. */
  add({ name, input, output, errors }: Operation): InputSchema {
    const known = this.#schemas[inputName(name)]
    if (known !== undefined) return known as InputSchema
    this.#schemas[outputName(name)] = placed(output, outputName(name))
    for (const error of errors) this.#errors.set(error.code, error)
    return (this.#schemas[inputName(name)] = placed(input, inputName(name))) as InputSchema
  }

  json() {
    const errors = [...this.#errors.values()].map((error) => [errorName(error), errorSchema(error)])
    return {
      schemas: { ...this.#schemas, ...(Object.fromEntries(errors) as Json), Error: anyError },
      ...idempotencyComponents,
      responses: { Error: jsonContent('Refused: the error record.', ref('schemas', 'Error')) },
      securitySchemes,
    }
  }
}

export const inputName = (operation: string): string => `${operation}.input`
export const outputName = (operation: string): string => `${operation}.output`
export const errorName = ({ code }: ErrorSpec): string => `Error.${code}`

const anyError = {
  type: 'object',
  description: 'Format of every refusal.',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'Sentence that says what happened and what to do.' },
    code: { type: 'string', description: 'Code for programs.' },
    details: { description: 'Details of the code.' },
    requestId: { type: 'string', description: 'Id of the request in the log.' },
  },
}

function errorSchema(error: ErrorSpec): Json {
  return {
    ...anyError,
    description: `${error.description} (HTTP ${error.status})`,
    properties: {
      ...anyError.properties,
      code: { const: error.code },
      details: placed(error.details, errorName(error), '/properties/details'),
    },
  }
}

/** Moves a plugin's schema into the document: its pointers start at the document's root. */
function placed(schema: Schema, name: string, inside = ''): unknown {
  const root = `#/components/schemas/${name}${inside}`
  return mapSchemas(published(schema), (one) => {
    const { $ref } = one
    return typeof $ref === 'string' && $ref.startsWith('#') ? { ...one, $ref: `${root}${$ref.slice(1)}` } : one
  })
}
