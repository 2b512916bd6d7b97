import type { Plugin } from '@gateway/sdk'
import type { ServedRoute } from '../served-routes.ts'
import { Components } from './components.ts'
import type { Json } from './json.ts'
import type { OpenApiOperation } from './operation.ts'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: Json }
  /** The server that served the document. */
  readonly servers: readonly [{ readonly url: '/' }]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Path → method → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Json; readonly responses: Json; readonly securitySchemes: Json }
}

/** Version of the REST API, which differs from that of the program. */
const API_VERSION = '0.1.0'

const DESCRIPTION = [
  'Every tool of the gateway over plain HTTP and JSON: at its own path, and as `POST /api/tools/{name}` with its arguments as the body. ',
  'The same tools are served over MCP at `/mcp`.\n\n',
  'A request needs no credential when it comes straight from this machine, names this machine as its Host, and carries no foreign Origin; ',
  'the page of each operation names what others send. `x-required-capability` says what a caller’s role must hold.\n\n',
  'Every refusal is an error record: a sentence, a code, often details, and the request id that the log knows.',
].join('')

/** Builds the OpenAPI document of the routes that describe themselves. A plugin without such a route has no tag. */
export function openApi(routes: Iterable<ServedRoute>, plugins: readonly Plugin[]): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const tags = new Set<string>()
  for (const { method, path, describe } of routes) {
    const described = describe?.(components) ?? []
    for (const one of isList(described) ? described : [{ path: inBraces(path), operation: described }]) {
      ;(paths[one.path] ??= {})[method.toLowerCase()] = one.operation
      for (const tag of one.operation.tags) tags.add(tag)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gateway', version: API_VERSION, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [
      { name: 'gateway', description: 'The gateway itself: probes, descriptions, the list of tools.' },
      ...plugins.filter(({ id }) => tags.has(id)).map(({ id, description }) => ({ name: id, description })),
    ],
    paths,
    components: components.json(),
  }
}

const isList = <T>(value: object | readonly T[]): value is readonly T[] => Array.isArray(value)

/** `/api/tasks/:id` in OpenAPI's notation. */
const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')
