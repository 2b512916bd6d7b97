import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closed, definePlugin, defineTool, Type, withContent } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const picture = [
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'text', text: 'A dot.' },
] as const
const facts = {
  description: 'Show a picture.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
} as const
const plugin = definePlugin({
  id: 'pictures',
  sdk: '^1.0.0',
  description: 'Shows pictures.',
  tools: [
    defineTool({ ...facts, name: 'picture_alone', rest: 'GET /api/pictures/alone', handle: async () => withContent({}, picture) }),
    defineTool({
      ...facts,
      name: 'picture_sized',
      rest: 'GET /api/pictures/sized',
      handle: async () => withContent({ width: 1 }, picture),
    }),
    defineTool({ ...facts, name: 'picture_none', handle: async () => withContent({}, []) }),
    defineTool({ ...facts, name: 'size_only', handle: async () => ({ width: 1 }) }),
  ],
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [plugin] })
})
after(() => gateway.stop())

const overRest = async (name: string) => (await gateway.inject({ method: 'POST', url: `/api/tools/${name}` })).json()
const overMcp = async (name: string) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
  return (await gateway.inject({ method: 'POST', url: '/mcp', body })).json().result
}

test('content without a result: MCP clients see it, programs get it as their result', async () => {
  assert.deepEqual(await overMcp('picture_alone'), { content: picture })
  assert.deepEqual(await overRest('picture_alone'), { content: picture })
  assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/pictures/alone' })).json(), { content: picture })
})

test('content with a result: MCP clients see the content and get the result as structure, programs get the result', async () => {
  assert.deepEqual(await overMcp('picture_sized'), { content: picture, structuredContent: { width: 1 } })
  assert.deepEqual(await overRest('picture_sized'), { width: 1 })
  assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/pictures/sized' })).json(), { width: 1 })
})

test('no content at all is still content, and a plain result is shown as its JSON', async () => {
  assert.deepEqual(await overMcp('picture_none'), { content: [] })
  assert.deepEqual(await overRest('picture_none'), { content: [] })
  assert.deepEqual(await overMcp('size_only'), { content: [{ type: 'text', text: '{"width":1}' }], structuredContent: { width: 1 } })
  assert.deepEqual(await overRest('size_only'), { width: 1 })
})
