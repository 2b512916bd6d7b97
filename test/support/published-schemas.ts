import assert from 'node:assert/strict'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

export interface PublishedSchema {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  /** True for a schema of arguments, not of results or errors. */
  readonly isInput: boolean
}

type Json = Readonly<Record<string, unknown>>
interface Document {
  readonly paths: Json
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** Collects every schema that the standard distribution publishes: the lists of all views over MCP and REST, and the OpenAPI document. */
export async function publishedSchemas(): Promise<readonly PublishedSchema[]> {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const found: PublishedSchema[] = []
  const headers = { accept: 'application/json, text/event-stream' }
  const families = standardPlugins.filter(({ tools }) => tools.some(({ listing }) => listing !== 'core-only'))
  for (const url of ['/mcp', '/mcp/core', ...families.map(({ id }) => `/mcp/t/${id}`)]) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { result, error } = (await gateway.inject({ method: 'POST', url, headers, body })).json()
    assert.equal(error, undefined, url)
    for (const { name, inputSchema } of result.tools) found.push({ name: `${url} ${name}`, schema: inputSchema, isInput: true })
  }
  const { tools } = (await gateway.inject({ method: 'GET', url: '/api/tools' })).json()
  for (const { name, inputSchema } of tools) found.push({ name: `/api/tools ${name}`, schema: inputSchema, isInput: true })
  const document = (await gateway.inject({ method: 'GET', url: '/api/openapi.json' })).json() as Document
  for (const [name, schema] of Object.entries(document.components.schemas)) found.push({ name, schema, isInput: name.endsWith('.input') })
  return [...found, ...inlined(document.paths, '')]
}

/** Parameters, headers, bodies and answers have their schema under `schema`. */
function* inlined(value: unknown, at: string): Generator<PublishedSchema> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    if (name === 'schema') yield { name: at, schema: one as Json, isInput: false }
    else yield* inlined(one, `${at} ${name}`)
  }
}
