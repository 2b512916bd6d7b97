import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

export interface PublishedSchema {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  /** The schema is of arguments, and not of results or errors. */
  readonly isInput: boolean
}

type Json = Readonly<Record<string, unknown>>
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly { name: string; schema: Json }[] }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** Collects every schema that the standard distribution publishes: the tool lists over MCP and REST, and the OpenAPI document. */
export async function publishedSchemas(): Promise<readonly PublishedSchema[]> {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const listed: PublishedSchema[] = []
  for (const url of ['/mcp', '/mcp/core']) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { accept: 'application/json, text/event-stream' }
    const { result } = (await gateway.inject({ method: 'POST', url, headers, body })).json()
    for (const { name, inputSchema } of result.tools) listed.push({ name: `${url} ${name}`, schema: inputSchema, isInput: true })
  }
  const { tools } = (await gateway.inject({ method: 'GET', url: '/api/tools' })).json()
  for (const { name, inputSchema } of tools) listed.push({ name: `/api/tools ${name}`, schema: inputSchema, isInput: true })
  const document = (await gateway.inject({ method: 'GET', url: '/api/openapi.json' })).json() as Document
  const components = Object.entries(document.components.schemas).map(([name, schema]) => ({
    name,
    schema,
    isInput: name.endsWith('.input'),
  }))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.map(({ name, schema }) => ({ name: `${path} ${name}`, schema, isInput: true })),
    ),
  )
  return [...listed, ...components, ...operations]
}
