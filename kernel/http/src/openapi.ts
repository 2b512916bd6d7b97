import { AdminDisabled, type Inventory, kernelErrors, type Offered, RateLimited, TenantSuspended, Unauthorized } from '@gateway/kernel'
import { everything } from '@gateway/mcp'
import type { ErrorSpec, GatewayCredential, ObjectSchema, Operation, Route, Schema } from '@gateway/sdk'
import { parseBinding } from './bindings.ts'
import { httpErrors } from './errors.ts'
import { gatewayPaths } from './openapi-gateway.ts'
import { security, securitySchemes } from './openapi-security.ts'

type Json = Readonly<Record<string, unknown>>
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Path → method → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Json; readonly responses: Json; readonly securitySchemes: Json }
}
export interface OpenApiOperation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
}

/** The version of the REST API, which is not that of the program. */
const API_VERSION = '0.1.0'

const DESCRIPTION = [
  'Every tool of the gateway over plain HTTP and JSON: at its own path, and as `POST /api/tools/{name}` with its arguments as the body. ',
  'The same tools are served over MCP at `/mcp`.\n\n',
  'A request needs no credential when it comes straight from this machine, names this machine as its Host, and carries no foreign Origin; ',
  'the page of each operation names what others send. `x-required-capability` says what a caller’s role must hold.\n\n',
  'Every refusal is an error record: a sentence, a code, often details, and the request id that the log knows.',
].join('')

/**
 * The OpenAPI document of what the plugins offer. Pure. Without the tools that only the core view has: they find and call
 * others, and whoever reads this document has those others here, each with its own schema.
 */
export function openApi({ plugins, tools, routes }: Inventory): OpenApiDocument {
  const described: Offered<Operation>[] = [
    ...[...tools.values()].filter(everything.shows),
    ...[...routes.values()].filter(({ item }) => !('raw' in item)),
  ]
  const families = new Set(described.map(({ plugin }) => plugin))
  const paths: Record<string, Record<string, OpenApiOperation>> = gatewayPaths()
  const schemas: Record<string, unknown> = {}
  // The kernel’s NOT_FOUND stands for the router’s too.
  const errors = new Map([...httpErrors, ...accessErrors, ...kernelErrors].map((error) => [error.code, error]))
  const add = (method: string, path: string, operation: OpenApiOperation): void => {
    ;(paths[path] ??= {})[method.toLowerCase()] = operation
  }

  for (const { plugin, item } of described) {
    schemas[`${item.name}.input`] = placed(item.input, `${item.name}.input`)
    schemas[`${item.name}.output`] = placed(item.output, `${item.name}.output`)
    for (const error of item.errors) errors.set(error.code, error)
    const common = facts(item, plugin)
    if (tools.has(item.name)) add('post', `/api/tools/${item.name}`, toolCall(item, common))
    if (item.rest === undefined) continue
    const { method, path, params } = parseBinding(item.rest)
    const input = schemas[`${item.name}.input`] as InputSchema
    add(method, path.replaceAll(/:(\w+)/g, '{$1}'), {
      ...common,
      operationId: item.name,
      ...request(item.name, input, method, params),
      responses: responses(item, item.status),
    })
  }
  for (const error of errors.values()) schemas[errorName(error)] = errorSchema(error)
  schemas.Error = anyError

  return {
    openapi: '3.1.0',
    info: { title: 'Gateway', version: API_VERSION, description: DESCRIPTION },
    tags: [
      { name: 'gateway', description: 'The gateway itself: probes, descriptions, the list of tools.' },
      ...plugins.filter(({ id }) => families.has(id)).map(({ id, description }) => ({ name: id, description })),
    ],
    paths,
    components: { schemas, responses: { Error: jsonContent('Refused: the error record.', ref('schemas', 'Error')) }, securitySchemes },
  }
}

// -------------------------------------------------------- operations ----

type InputSchema = ObjectSchema & { readonly properties?: Record<string, unknown>; readonly required?: readonly string[] }

function facts(operation: Operation, plugin: string) {
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

/** `tools/` cannot begin a tool’s or a route’s name, so the id is free. */
function toolCall(tool: Operation, common: ReturnType<typeof facts>): OpenApiOperation {
  const body = { required: false, ...json(ref('schemas', `${tool.name}.input`)) }
  return { ...common, operationId: `tools/${tool.name}`, requestBody: body, responses: responses(tool, 200) }
}

/** Path parameters, and the rest of the input as query or as body. */
function request(name: string, input: InputSchema, method: string, params: readonly string[]): Json {
  const { properties = {}, required = [] } = input
  const parameter = (property: string, place: 'path' | 'query') => ({
    name: property,
    in: place,
    required: place === 'path' || required.includes(property),
    schema: properties[property],
  })
  const inPath = params.map((property) => parameter(property, 'path'))
  const rest = Object.keys(properties).filter((property) => !params.includes(property))
  if (method === 'GET' || method === 'DELETE') return { parameters: [...inPath, ...rest.map((property) => parameter(property, 'query'))] }
  const left = {
    ...input,
    properties: Object.fromEntries(rest.map((property) => [property, properties[property]])),
    required: required.filter((property) => !params.includes(property)),
  }
  const schema = params.length === 0 ? ref('schemas', `${name}.input`) : left
  return { parameters: inPath, requestBody: { required: left.required.length > 0, ...json(schema) } }
}

/** Success, the operation’s own errors by status, and the record for what may meet any call. */
function responses(operation: Operation, status: number): Json {
  const possible = credentialOf(operation) === 'caller' ? operation.errors : [...operation.errors, Unauthorized, AdminDisabled]
  const statuses = [...new Set(possible.map((error) => error.status))]
  const declared = statuses.map((code) => {
    // What any call may be answered with under this status is no less possible for what the operation declares under it.
    const errors = withoutTwins([...possible, ...anyCall].filter((error) => error.status === code))
    const schemas = errors.map((error) => ref('schemas', errorName(error)))
    const said = errors.map((error) => `\`${error.code}\`: ${error.description}`).join('\n\n')
    return [String(code), jsonContent(said, schemas.length === 1 ? (schemas[0] as Json) : { oneOf: schemas })] as const
  })
  return {
    [status]: jsonContent('Done.', ref('schemas', `${operation.name}.output`)),
    ...Object.fromEntries(declared),
    default: ref('responses', 'Error'),
  }
}

const withoutTwins = (errors: readonly ErrorSpec[]): readonly ErrorSpec[] => [
  ...new Map(errors.map((error) => [error.code, error])).values(),
]

/** Raw routes, the only ones with credentials of their own, are not described. */
const credentialOf = (operation: Operation) => ((operation as Partial<Route>).credential ?? 'caller') as GatewayCredential

// ------------------------------------------------------------ errors ----

const accessErrors: readonly ErrorSpec[] = [AdminDisabled, RateLimited, TenantSuspended]

const anyCall: readonly ErrorSpec[] = [...httpErrors, ...accessErrors, ...kernelErrors]

const anyError = {
  type: 'object',
  description: 'What every refusal looks like.',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'One sentence: what happened and what to do.' },
    code: { type: 'string', description: 'For programs.' },
    details: { description: 'What the code says more exactly.' },
    requestId: { type: 'string', description: 'The request as the log knows it.' },
  },
}

const errorName = ({ code }: ErrorSpec): string => `Error.${code}`

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

// ----------------------------------------------------------- schemas ----

/** A plugin’s schema as it stands in the document: pointers within it start at the document’s root. */
function placed(schema: Schema, name: string, inside = ''): unknown {
  const root = `#/components/schemas/${name}${inside}`
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${root}${value.slice(1)}` : value,
    ),
  )
}

function ref(kind: 'schemas' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
}

function jsonContent(description: string, schema: Json): Json {
  return { description, ...json(schema) }
}
