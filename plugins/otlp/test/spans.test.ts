import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collector, named, start } from './support.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${PARENT}-01`

const mcp = (name: string, args: object, meta?: object) => ({
  method: 'POST' as const,
  url: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } },
})

test('a call over MCP is a span by the conventions, under the parent that its _meta names', async () => {
  using it = await collector()
  await using gateway = await start(it.url)
  const { headers } = await gateway.inject(mcp('sample_run', {}, { traceparent }))
  await it.until(() => it.spans().length === 1)
  const [span] = it.spans()
  assert.ok(span)
  assert.deepEqual([span.traceId, span.parentSpanId, span.flags, span.name, span.kind], [TRACE, PARENT, 0x301, 'tools/call sample_run', 2])
  assert.match(span.spanId, /^[0-9a-f]{16}$/)
  assert.deepEqual(span.status, {})
  assert.deepEqual(named(span.attributes), {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'sample_run',
    'gateway.via': 'mcp',
    'gateway.tenant.id': 'local',
    'gateway.caller.id': 'operator',
    'gateway.request.id': headers['x-request-id'],
  })
  assert.equal(BigInt(span.endTimeUnixNano) / 1_000_000n, BigInt(gateway.clock.now()))
  const tookNs = Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano))
  assert.ok(tookNs >= 0 && tookNs < 60e9)
  assert.equal(it.sent[0]?.url, '/v1/traces')
  assert.equal(it.sent[0]?.headers['content-type'], 'application/json')
  assert.equal(it.sent[0]?.resource['service.name'], 'gateway')
})

test('a call over REST has its parent in the header, and the status of its answer', async () => {
  using it = await collector()
  await using gateway = await start(it.url)
  await gateway.inject({ method: 'POST', url: '/api/tools/sample_run', body: {}, headers: { traceparent } })
  await it.until(() => it.spans().length === 1)
  const [span] = it.spans()
  assert.deepEqual([span?.traceId, span?.parentSpanId, span?.name, span?.kind], [TRACE, PARENT, 'execute_tool sample_run', 2])
  assert.equal(named(span?.attributes ?? [])['http.response.status_code'], 200)
})

test('a refusal is an error of the tool to MCP; over REST only a fault of the server is one', async () => {
  using it = await collector()
  await using gateway = await start(it.url)
  for (const fail of ['declared', 'undeclared']) {
    await gateway.inject(mcp('sample_run', { fail }))
    await gateway.inject({ method: 'POST', url: '/api/tools/sample_run', body: { fail } })
  }
  await it.until(() => it.spans().length === 4)
  const facts = it.spans().map(({ status, attributes }) => {
    const all = named(attributes)
    return [status.code, status.message, all['error.type'], all['gateway.error.code']]
  })
  assert.deepEqual(facts, [
    [2, 'CONFLICT', 'tool_error', 'CONFLICT'],
    [undefined, undefined, undefined, 'CONFLICT'],
    [2, 'INTERNAL_ERROR', 'tool_error', 'INTERNAL_ERROR'],
    [2, 'INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR'],
  ])
})

test('what a call calls stands under the same parent, and a parent that is none is taken for absent', async () => {
  using it = await collector()
  await using gateway = await start(it.url)
  await gateway.inject(mcp('sample_outer', {}, { traceparent }))
  await gateway.inject(mcp('sample_run', {}, { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` }))
  await gateway.inject(mcp('sample_run', {}, { traceparent: 7 }))
  await it.until(() => it.spans().length === 4)
  const [inner, outer, zeros, number] = it.spans()
  assert.deepEqual([inner?.parentSpanId, outer?.parentSpanId, inner?.traceId, outer?.traceId], [PARENT, PARENT, TRACE, TRACE])
  assert.notEqual(inner?.spanId, outer?.spanId)
  assert.deepEqual([inner?.name, inner?.kind, outer?.name, outer?.kind], ['execute_tool sample_run', 1, 'tools/call sample_outer', 2])
  for (const span of [zeros, number]) {
    assert.equal(span?.parentSpanId, undefined)
    assert.notEqual(span?.traceId, TRACE)
    assert.match(span?.traceId ?? '', /^[0-9a-f]{32}$/)
  }
})

test('what its caller does not sample is not sent, nor a call without a caller’s trace when none are wanted', async () => {
  using it = await collector()
  await using gateway = await start(it.url, { sampleRatio: 0 })
  await gateway.inject(mcp('sample_run', {}, { traceparent: `00-${TRACE}-${PARENT}-00` }))
  await gateway.inject(mcp('sample_run', {}))
  await gateway.inject(mcp('sample_run', {}, { traceparent }))
  await it.until(() => it.spans().length > 0)
  await gateway.stop()
  assert.equal(it.spans().length, 1)
})

test('the headers of the setting go with it, the name of the service, and neither arguments nor results', async () => {
  using it = await collector()
  const settings = { headers: ['Authorization=Bearer abc%20def', 'x-team = blue'], serviceName: 'house' }
  await using gateway = await start(`${it.url}/`, settings)
  await gateway.inject(mcp('sample_run', { fail: 'declared' }))
  await it.until(() => it.sent.length > 0)
  const [first] = it.sent
  assert.ok(first)
  const { headers, resource, url } = first
  assert.deepEqual(
    [headers.authorization, headers['x-team'], resource['service.name'], url],
    ['Bearer abc def', 'blue', 'house', '/v1/traces'],
  )
  assert.ok(!JSON.stringify(it.spans()).includes('declared'))
})

test('without an endpoint, or switched off, nothing is sent', async () => {
  using it = await collector()
  for (const gateway of [await start(undefined), await start(it.url, { disabled: true })]) {
    await gateway.inject(mcp('sample_run', {}))
    await gateway.stop()
  }
  assert.deepEqual(it.sent, [])
})

test('what OpenTelemetry’s variables say holds', async () => {
  using it = await collector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: it.url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=one,x-team=two', OTEL_SERVICE_NAME: 'named' }
  await using gateway = await start(undefined, {}, { env })
  await gateway.inject(mcp('sample_run', {}))
  await it.until(() => it.sent.length > 0)
  const { headers, resource } = it.sent[0] ?? {}
  assert.deepEqual([headers?.['api-key'], headers?.['x-team'], resource?.['service.name']], ['one', 'two', 'named'])
})
