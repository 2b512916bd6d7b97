import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { definePlugin, defineTool, type Plugin, type Tool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { transportFixture } from './transport-plugin.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Any = any

const transport = transportFixture()
let gateway: TestGateway
let document: Any
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin] })
  document = (await gateway.inject({ method: 'GET', url: '/api/openapi.json' })).json()
})
after(() => gateway.stop())

async function documentOf(...plugins: Plugin[]): Promise<Any> {
  await using other = await startTestGateway({ plugins })
  return (await other.inject({ method: 'GET', url: '/api/openapi.json' })).json()
}

function operations(of: Any = document): { path: string; method: string; operation: Any }[] {
  return Object.entries<Any>(of.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

function pointers(of: Any): [string, unknown][] {
  const found: [string, unknown][] = []
  const walk = (value: Any): void => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.$ref === 'string') found.push([value.$ref, resolve(of, value.$ref)])
    Object.values(value).forEach(walk)
  }
  walk(of)
  return found
}

function resolve(of: Any, ref: string): Any {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .reduce((at: Any, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], of)
}

test('it is an OpenAPI 3.1.0 document of API version 0.1.0', () => {
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '0.1.0'])
  for (const key of Object.keys(document.components.schemas)) assert.match(key, /^[\w.-]+$/)
})

test('every tool has its call and its binding, every route its path, and the gateway its own', () => {
  const ids = new Map(operations().map(({ path, method, operation }) => [operation.operationId, `${method.toUpperCase()} ${path}`]))
  for (const tool of transport.plugin.tools) {
    assert.equal(ids.get(`tools/${tool.name}`), `POST /api/tools/${tool.name}`)
    assert.equal(ids.get(tool.name), tool.rest?.replaceAll(/:(\w+)/g, '{$1}'))
  }
  assert.equal(ids.get('transport.report'), 'GET /api/transport/report/{year}')
  for (const path of ['/health', '/health/deep', '/status', '/api/openapi.json', '/api/docs', '/api/tools'])
    assert.ok(document.paths[path].get, path)
})

test('operation ids are unique', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
})

test('every path parameter is declared, and every declared one is in the path', () => {
  for (const { path, operation } of operations()) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = (operation.parameters ?? []).filter((parameter: Any) => parameter.in === 'path')
    assert.deepEqual(
      declared.map(({ name }: Any) => name),
      inPath,
      path,
    )
    assert.ok(
      declared.every(({ required, schema }: Any) => required === true && schema),
      path,
    )
  }
})

test('every $ref resolves', () => {
  const found = pointers(document)
  assert.ok(found.length > 20)
  for (const [ref, target] of found) assert.ok(target, ref)
})

test('every operation names its capability, its answers and the error record', () => {
  for (const { path, operation } of operations().filter(({ operation }) => !operation.tags.includes('gateway'))) {
    assert.ok(operation['x-required-capability'], path)
    assert.ok(operation.responses.default, path)
    assert.ok(
      Object.keys(operation.responses).some((status) => status.startsWith('2')),
      path,
    )
  }
  const { get } = document.paths['/api/transport/ask']
  const codes = (status: string): string[] =>
    get.responses[status].content['application/json'].schema.oneOf.map(
      ({ $ref }: { $ref: string }) => resolve(document, $ref).properties.code.const,
    )
  assert.deepEqual(codes('429'), ['FACE_TOO_MANY', 'RATE_LIMITED'], 'its own error, and what any call may meet under its status')
  assert.deepEqual(document.components.schemas.Error.required, ['error', 'code'])
})

test('what an operation asks of its caller is one of the declared security schemes', () => {
  const schemes = Object.keys(document.components.securitySchemes)
  for (const { path, operation } of operations()) {
    for (const alternative of operation.security ?? []) for (const name of Object.keys(alternative)) assert.ok(schemes.includes(name), path)
  }
  const needs = (path: string): string[][] => document.paths[path].get.security.map(Object.keys)
  assert.deepEqual(needs('/api/transport/report/{year}'), [[], ['apiKey'], ['bearer'], ['localToken'], ['signedIn'], ['session']])
  assert.deepEqual(needs('/api/transport/admin'), [['adminToken'], ['signedIn']])
  assert.deepEqual(Object.keys(document.paths['/api/transport/admin'].get.responses), ['200', '401', '503', 'default'])
  assert.deepEqual(document.paths['/health'].get.security, [])
})

test('what is not in the path is query for GET and DELETE, body for the rest', () => {
  const query = (path: string, method: string): string[] =>
    document.paths[path][method].parameters.filter((parameter: Any) => parameter.in === 'query').map(({ name }: Any) => name)
  assert.deepEqual(query('/api/transport/ask', 'get'), ['asked', 'level'])
  assert.deepEqual(query('/api/transport/notes/{id}', 'delete'), ['reason'])
  const body = document.paths['/api/transport/notes/{id}'].patch.requestBody
  assert.deepEqual([body.required, body.content['application/json'].schema.required], [true, ['text']])
  assert.deepEqual(Object.keys(body.content['application/json'].schema.properties), ['text'])
  assert.equal(document.paths['/api/transport/notes'].post.responses['201'] !== undefined, true)
})

test('pointers inside a plugin’s own schema lead to its place in the document', async () => {
  const input = {
    type: 'object',
    additionalProperties: false,
    properties: { tree: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { child: { $ref: '#/$defs/node' } } } },
  } as const
  const tool = defineTool({
    name: 'tree_take',
    description: 'Take a tree.',
    capability: 'read',
    effect: 'read',
    rest: 'GET /api/trees',
    input,
    output: Type.Object({}),
    handle: async () => ({}),
  })
  const found = pointers(await documentOf(definePlugin({ id: 'trees', sdk: '^1.0.0', description: 'Trees.', tools: [tool] })))
  assert.ok(found.some(([ref]) => ref === '#/components/schemas/tree_take.input/$defs/node'))
  for (const [ref, target] of found) assert.ok(target, ref)
})

test('words of the SDK that OpenAPI does not know are left out or begin with x-, and properties of those names stay', async () => {
  const text = { type: 'string', env: 'A_NAME', secret: true, description: 'A text.' }
  const tool = defineTool({
    name: 'words_say',
    description: 'Say words.',
    capability: 'read',
    effect: 'read',
    input: { type: 'object', additionalProperties: false, properties: { env: text, secret: text, type: { type: 'string' } } },
    output: Type.Object({}),
    handle: async () => ({}),
  })
  const own = await documentOf(definePlugin({ id: 'words', sdk: '^1.0.0', description: 'Words.', tools: [tool] }))
  const told = { type: 'string', description: 'A text.', 'x-secret': true }
  assert.deepEqual(own.components.schemas['words_say.input'].properties, { env: told, secret: told, type: { type: 'string' } })
})

test('what stands in the core list only is not described: it finds and calls what is', async () => {
  const named = (name: string, listing: Tool['listing']): Tool => ({
    ...(transport.plugin.tools[0] as Tool),
    name,
    rest: undefined,
    listing,
  })
  const family = (id: string, ...tools: Tool[]) => definePlugin({ id, sdk: '^1.0.0', description: `The family ${id}.`, tools })
  const own = await documentOf(family('finders', named('find', 'core-only')), family('fruit', named('apple', 'core')))
  assert.deepEqual(
    Object.keys(own.paths).filter((path) => path.startsWith('/api/tools/')),
    ['/api/tools/apple'],
  )
  assert.deepEqual(
    own.tags.map(({ name }: { name: string }) => name),
    ['gateway', 'fruit'],
  )
  assert.ok(!('find.input' in own.components.schemas))
})

test('the document is made once', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => gateway.inject({ method: 'GET', url: '/api/openapi.json' })))
  assert.equal(first?.body, second?.body)
})

test('every write takes the header Idempotency-Key and names the header of a replay; a read has neither', () => {
  const called = operations().filter(({ operation }) => operation['x-effect'] !== undefined)
  const key = { $ref: '#/components/parameters/Idempotency-Key' }
  for (const { path, method, operation } of called) {
    const isWrite = operation['x-effect'] !== 'read'
    const named = (operation.parameters ?? []).some((one: Any) => one.$ref === key.$ref)
    const done = Object.entries<Any>(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
    assert.deepEqual([named, done.headers?.['Idempotency-Replayed'] !== undefined], [isWrite, isWrite], `${method} ${path}`)
  }
  assert.equal(document.components.parameters['Idempotency-Key'].in, 'header')
})
