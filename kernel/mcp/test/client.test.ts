import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { transportFixture } from '../../http/test/transport-plugin.ts'

const fixture = transportFixture()
let gateway: TestGateway
let client: Client
let transport: StreamableHTTPClientTransport
const faults: Error[] = []

async function connected(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`))
  const client = new Client({ name: 'test', version: '1.0.0' })
  // The client reports that its own closing ends the stream it listens to.
  client.onerror = (error) => !error.message.includes('AbortError') && faults.push(error)
  await client.connect(transport as Transport)
  return { client, transport }
}
before(async () => {
  gateway = await startTestGateway({ plugins: [fixture.plugin], listen: true })
  ;({ client, transport } = await connected())
})
after(async () => {
  await client.close()
  await gateway.stop()
  assert.deepEqual(faults, [])
})

test('the official client shakes hands and learns who serves, what works, and the boot bundle', () => {
  assert.equal(client.getServerVersion()?.name, 'gateway')
  assert.deepEqual(client.getServerCapabilities(), {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  })
  assert.match(client.getInstructions() ?? '', /tenant `local`[^]*8 tools by family: transport 8[^]*## Manners\nBe kind\./)
  assert.match(transport.sessionId ?? '', /^[\x21-\x7e]{16,}$/)
})

test('tools/list has every tool in order, with its schema and all four hints, and no output schema', async () => {
  const { tools, nextCursor } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    fixture.plugin.tools.map(({ name }) => name),
  )
  assert.equal(nextCursor, undefined)
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
  assert.deepEqual(hints.transport_ask, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true })
  assert.deepEqual(hints.transport_edit, { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  assert.deepEqual(hints.transport_remove, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false })
  for (const tool of tools) {
    assert.ok(tool.description)
    assert.equal(tool.inputSchema.type, 'object')
    assert.equal(tool.outputSchema, undefined)
  }
})

test('a call answers with its result as structured content and as the same JSON in text', async () => {
  const { content, structuredContent, isError } = await client.callTool({ name: 'transport_echo', arguments: { id: 'ü "x"', count: 2 } })
  assert.deepEqual(structuredContent, { args: { id: 'ü "x"', count: 2 } })
  assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }])
  assert.ok(!isError)
})

test('a refusal is a result: isError, the sentence as text, the record as structured content', async () => {
  const { content, structuredContent, isError } = await client.callTool({ name: 'transport_ask', arguments: { asked: 5 } })
  const { requestId, ...record } = structuredContent as Record<string, unknown>
  assert.deepEqual([isError, record], [true, { error: 'At most three, 5 were asked for.', code: 'FACE_TOO_MANY', details: { asked: 5 } }])
  assert.deepEqual([content, typeof requestId], [[{ type: 'text', text: 'At most three, 5 were asked for.' }], 'string'])
  const invalid = await client.callTool({ name: 'transport_ask', arguments: { asked: 'many' } })
  assert.deepEqual([invalid.isError, (invalid.structuredContent as { code: string }).code], [true, 'BAD_REQUEST'])
})

test('an unknown tool is -32602, and so is the name of a plain route', async () => {
  for (const name of ['nothing', 'transport.report', 'TRANSPORT_ECHO', '__proto__']) {
    await assert.rejects(client.callTool({ name }), { code: -32602, message: `MCP error -32602: Unknown tool: ${name}` })
  }
})

test('resources are listed, templates beside them, and both are read', async () => {
  const { resources } = await client.listResources()
  assert.deepEqual(resources, [{ uri: 'transport://readme', name: 'readme', description: 'A text.', mimeType: 'text/plain' }])
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['transport://notes/{id}'],
  )
  assert.deepEqual((await client.readResource({ uri: 'transport://readme' })).contents, [
    { uri: 'transport://readme', mimeType: 'text/plain', text: 'read me' },
  ])
  await gateway.call('transport_add', { id: 'r1', text: 'one' })
  const [note] = (await client.readResource({ uri: 'transport://notes/r1' })).contents
  assert.equal(JSON.parse((note as { text: string }).text).text, 'one')
})

test('a resource that is not there is -32002 with its URI', async () => {
  for (const uri of ['transport://nothing', 'transport://notes/none', 'nonsense']) {
    await assert.rejects(client.readResource({ uri }), (error: { code?: number; data?: unknown }) => {
      assert.deepEqual([error.code, error.data], [-32002, { uri }])
      return true
    })
  }
})

test('prompts are listed and rendered; unknown ones and missing arguments are -32602', async () => {
  const { prompts } = await client.listPrompts()
  assert.deepEqual(prompts, [
    {
      name: 'transport_review',
      description: 'Review a thing.',
      arguments: [{ name: 'thing', description: 'Thing to review.', required: true }],
    },
  ])
  const { messages, description } = await client.getPrompt({ name: 'transport_review', arguments: { thing: 'this' } })
  assert.deepEqual([description, messages], ['Review a thing.', [{ role: 'user', content: { type: 'text', text: 'Review this.' } }]])
  await assert.rejects(client.getPrompt({ name: 'none' }), { code: -32602 })
  await assert.rejects(client.getPrompt({ name: 'transport_review' }), { code: -32602 })
})

test('progress is streamed while the call runs, each step further than the last, and then the result', async () => {
  const seen: unknown[] = []
  const call = client.callTool({ name: 'transport_wait', arguments: { steps: 3 } }, undefined, {
    onprogress: (progress) => seen.push(progress),
  })
  await fixture.arrived(1)
  fixture.release()
  assert.deepEqual((await call).structuredContent, { why: 'released' })
  assert.deepEqual(
    seen,
    [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })),
  )
})

test('a cancelled call is aborted', async () => {
  const cancel = new AbortController()
  const call = client.callTool({ name: 'transport_wait' }, undefined, { signal: cancel.signal })
  await fixture.arrived(1)
  cancel.abort('enough')
  await assert.rejects(call)
  await fixture.gone()
})

test('the end of a session ends its calls', async () => {
  const other = await connected()
  const call = other.client.callTool({ name: 'transport_wait' })
  await fixture.arrived(1)
  await other.transport.terminateSession()
  assert.deepEqual((await call).structuredContent, { why: 'aborted' })
  assert.equal(other.transport.sessionId, undefined)
  await other.client.close()
})

test('many clients with the same ids get their own answers', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, connected))
  const answers = await Promise.all(
    clients.map(({ client }, i) => client.callTool({ name: 'transport_echo', arguments: { id: `caller ${i}` } })),
  )
  const seen = answers.map(({ structuredContent }) => (structuredContent as { args: { id: string } }).args.id)
  assert.deepEqual(
    seen,
    clients.map((_, i) => `caller ${i}`),
  )
  await Promise.all(clients.map(({ client }) => client.close()))
})
