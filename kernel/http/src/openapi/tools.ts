import { AdminDisabled, type Offered, Unauthorized } from '@gateway/kernel'
import type { Credential, ErrorSpec, Operation, Route, Tool } from '@gateway/sdk'
import { parseBinding } from '../bindings.ts'
import { anyCall, type Components, errorName, type InputSchema, inputName, outputName } from './components.ts'
import { keyParameter, replayHeaders } from './idempotency.ts'
import { type Json, json, jsonContent, ref } from './json.ts'
import type { Describe, OpenApiOperation } from './operation.ts'
import { security } from './security.ts'

/**
 * Leaves out tools that only the core view has: they find and call others, which a reader of the document finds here, each with
 * its own schema.
 */
const isDescribed = (operation: Operation): boolean => (operation as Partial<Tool>).listing !== 'core-only'

/** `POST /api/tools/{name}` of every tool. */
export function toolCalls(tools: Iterable<Offered<Tool>>): Describe {
  return (components) =>
    [...tools]
      .filter(({ item }) => isDescribed(item))
      .map((tool) => ({ path: `/api/tools/${tool.item.name}`, operation: toolCall(tool, components) }))
}

/** No tool or route has a name that begins with `tools/`, so the id is free. */
function toolCall({ plugin, item }: Offered<Tool>, components: Components): OpenApiOperation {
  components.add(item)
  const requestBody = { required: false, ...json(ref('schemas', inputName(item.name))) }
  return {
    ...facts(item, plugin),
    operationId: `tools/${item.name}`,
    parameters: keyParameter(item),
    requestBody,
    responses: responses(item, 200),
  }
}

export function binding({ plugin, item }: Offered<Operation>): Describe {
  return (components) => {
    if (!isDescribed(item)) return []
    return {
      ...facts(item, plugin),
      operationId: item.name,
      ...request(item, components.add(item)),
      responses: responses(item, item.status),
    }
  }
}

export function facts(operation: Operation, plugin: string) {
  const [summary = ''] = operation.description.split(/(?<=\.)\s/, 1)
  return {
    summary,
    description: operation.description,
    tags: [plugin],
    'x-required-capability': operation.capability,
    'x-effect': operation.effect,
    security: security(credentialOf(operation)),
  }
}

function request(operation: Operation, input: InputSchema): Json {
  const { name, rest = '' } = operation
  const { method, params } = parseBinding(rest)
  const { properties = {}, required = [] } = input
  const all = parameters({ params, properties, required })
  if (method === 'GET' || method === 'DELETE') return { parameters: [...all, ...keyParameter(operation)] }
  const inPath = all.slice(0, params.length)
  const others = Object.keys(properties).filter((property) => !params.includes(property))
  const left = {
    ...input,
    properties: Object.fromEntries(others.map((property) => [property, properties[property]])),
    required: required.filter((property) => !params.includes(property)),
  }
  const schema = params.length === 0 ? ref('schemas', inputName(name)) : left
  return { parameters: [...inPath, ...keyParameter(operation)], requestBody: { required: left.required.length > 0, ...json(schema) } }
}

interface Arguments {
  readonly params: readonly string[]
  readonly properties: Json
  readonly required: readonly string[]
}

export function parameters({ params, properties, required }: Arguments) {
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: properties[name],
  })
  const others = Object.keys(properties).filter((name) => !params.includes(name))
  return [...params.map((name) => parameter(name, 'path')), ...others.map((name) => parameter(name, 'query'))]
}

function responses(operation: Operation, status: number): Json {
  const done = { ...jsonContent('Done.', ref('schemas', outputName(operation.name))), ...replayHeaders(operation) }
  return { [status]: done, ...errorResponses(operation) }
}

/** The operation’s own errors by status, and the record for errors that any call may meet. */
export function errorResponses(operation: Operation): Json {
  const possible = credentialOf(operation) === 'caller' ? operation.errors : [...operation.errors, Unauthorized, AdminDisabled]
  const statuses = [...new Set(possible.map((error) => error.status))]
  const declared = statuses.map((code) => {
    // Errors that any call may meet under this status stay possible next to the declared ones.
    const errors = withoutTwins([...possible, ...anyCall].filter((error) => error.status === code))
    const schemas = errors.map((error) => ref('schemas', errorName(error)))
    const said = errors.map((error) => `\`${error.code}\`: ${error.description}`).join('\n\n')
    return [String(code), jsonContent(said, schemas.length === 1 ? (schemas[0] as Json) : { oneOf: schemas })] as const
  })
  return { ...Object.fromEntries(declared), default: ref('responses', 'Error') }
}

const withoutTwins = (errors: readonly ErrorSpec[]): readonly ErrorSpec[] => [
  ...new Map(errors.map((error) => [error.code, error])).values(),
]

const credentialOf = (operation: Operation): Credential => (operation as Partial<Route>).credential ?? 'caller'
