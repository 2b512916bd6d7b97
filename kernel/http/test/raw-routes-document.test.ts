import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineRawRoute, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const spec = {
  description: 'Takes bytes. Returns their number.',
  capability: 'work',
  effect: 'write',
  idleMs: 1_000,
  credential: 'signed',
  input: Type.Object({ box: Type.String(), note: Type.Optional(Type.String()) }, closed),
  handle: async () => {},
} as const
const described = defineRawRoute({
  ...spec,
  name: 'bytes.take',
  rest: 'POST /bytes/:box',
  http: {
    headers: { 'x-signature': { description: 'The signature.', required: true }, 'x-part': { description: 'The number of the part.' } },
    body: { 'application/octet-stream': {} },
    answer: {
      status: 202,
      description: 'Taken.',
      headers: { 'x-place': 'Where they are.' },
      content: { 'application/json': Type.Object({ bytes: Type.Integer() }, closed) },
    },
  },
})
const bare = defineRawRoute({ ...spec, name: 'bytes.bare', rest: 'PUT /bytes/:box', credential: 'own' })
const plugin = definePlugin({ id: 'bytes', sdk: '^1.0.0', description: 'Takes bytes.', routes: [described, bare] })

test('a raw route is in the document with its path, query, headers, body, answers and credential', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const { paths } = (await gateway.inject({ method: 'GET', url: '/api/openapi.json' })).json()
  const { post, put } = paths['/bytes/{box}']
  const parameters = post.parameters.map((one: { name: string; in: string; required: boolean }) => [one.in, one.name, one.required])
  assert.deepEqual(parameters, [
    ['path', 'box', true],
    ['query', 'note', false],
    ['header', 'x-signature', true],
    ['header', 'x-part', false],
  ])
  assert.deepEqual([post.operationId, post.tags, post.security], ['bytes.take', ['bytes'], []])
  assert.deepEqual(post.requestBody, { required: true, content: { 'application/octet-stream': { schema: {} } } })
  const { 202: answer, default: refused } = post.responses
  assert.deepEqual(answer.content['application/json'].schema.properties, { bytes: { type: 'integer' } })
  assert.equal(answer.headers['x-place'].description, 'Where they are.')
  assert.ok(refused.$ref.endsWith('/Error'))
  assert.deepEqual([put.operationId, put.security, 'requestBody' in put], ['bytes.bare', [{ basic: [] }, { bearer: [] }], false])
})
