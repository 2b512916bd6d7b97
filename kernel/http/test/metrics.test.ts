import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import {
  closed,
  contribute,
  defineMetric,
  definePlugin,
  defineService,
  defineTool,
  metricReading,
  NotFound,
  provideProcess,
  syntheticTenant,
  Type,
} from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { pino } from 'pino'
import { boot } from '../../defaults/src/boot.ts'
import { serve } from '../src/serve.ts'

const eaten = defineMetric('gateway.pond.eaten', {
  kind: 'counter',
  description: 'Flies that were eaten.',
  unit: '{fly}',
  labels: ['frog'],
})
const frogs = defineMetric('gateway.pond.frogs', { kind: 'gauge', description: 'Frogs that are there.', unit: '{frog}' })
const hops = defineMetric('gateway.pond.hops', { kind: 'counter', description: 'Hops.', unit: '{hop}' })
const hopper = defineService<{ hop(): void }>('pond.hopper', 'process')
const pond = definePlugin({
  id: 'pond',
  sdk: '^1.0.0',
  description: 'A pond with frogs that eat flies.',
  metrics: [eaten, frogs, hops],
  provides: [provideProcess(hopper, { uses: { hops }, create: ({ hops }) => ({ hop: () => hops.add(1) }) })],
  contributes: [contribute(metricReading, { uses: { frogs }, create: ({ frogs }) => ({ name: 'pond', read: async () => frogs.set(7) }) })],
  tools: [
    defineTool({
      name: 'pond_eat',
      description: 'Eat a fly.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ frog: Type.String() }, closed),
      output: Type.Object({}, closed),
      uses: { eaten, hopper },
      async handle({ frog }, { eaten, hopper }) {
        if (frog === 'toad') throw new Error('It is poisonous.')
        if (frog === 'prince') throw NotFound({ what: 'frog', id: frog })
        eaten.add(1, frog)
        hopper.hop()
        return {}
      },
    }),
  ],
})

const scrape = async (gateway: Pick<TestGateway, 'inject'>, headers: Record<string, string> = {}) =>
  gateway.inject({ method: 'GET', url: '/metrics', headers })
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const accept = 'application/json, text/event-stream'

test('a family’s own metrics are counted by its handlers and process services, read when asked for, and shown', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  await gateway.call('pond_eat', { frog: 'green' })
  await gateway.call('pond_eat', { frog: 'green' })
  const { status, headers, body } = await scrape(gateway)
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; version=0.0.4; charset=utf-8'])
  for (const line of ['gateway_pond_eaten_total{frog="green"} 2', 'gateway_pond_hops_total 2', 'gateway_pond_frogs 7'])
    assert.ok(body.split('\n').includes(line), line)
})

test('calls of tools, MCP operations and HTTP requests are measured under the names of the conventions', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  const post = (body: object, headers = {}) => gateway.inject({ method: 'POST', url: '/mcp', headers: { accept, ...headers }, body })
  const opened = await post(
    rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
  )
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  await post(rpc('tools/call', { name: 'pond_eat', arguments: { frog: 'green' } }), session)
  await post(rpc('tools/call', { name: 'pond_eat', arguments: { frog: 'prince' } }), session)
  await post(rpc('tools/call', { name: 'no_such_tool', arguments: {} }), session)
  await post(rpc('made/up', {}), session)
  await gateway.inject({ method: 'POST', url: '/api/tools/pond_eat', body: { frog: 'green' } })
  await gateway.inject({ method: 'DELETE', url: '/mcp', headers: session })
  const lines = (await scrape(gateway)).body.split('\n')
  for (const line of [
    'gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="pond_eat",error_type=""} 2',
    'gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="pond_eat",error_type="NOT_FOUND"} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="initialize",error_type=""} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",error_type=""} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",error_type="tool_error"} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",error_type="-32602"} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="_OTHER",error_type="-32601"} 1',
    'mcp_server_session_duration_seconds_count{mcp_protocol_version="2025-11-25"} 1',
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/mcp",http_response_status_code="200",url_scheme="http",error_type=""} 5',
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/api/tools/:name",http_response_status_code="200",url_scheme="http",error_type=""} 1',
    'gateway_calls_total{kind="tool",via="mcp",error_type=""} 1',
    'gateway_calls_total{kind="tool",via="rest",error_type=""} 1',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.filter((one) => one.startsWith(line.split('{')[0] as string)).join('\n')}`)
})

test('a request is measured with the scheme its client used and, where the server failed, with the error; of neither are there many', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  const eat = (frog: string, headers: Record<string, string> = {}) =>
    gateway.inject({ method: 'POST', url: '/api/tools/pond_eat', headers, body: { frog } })
  const far = { 'x-forwarded-for': '198.51.100.7' }
  await eat('prince')
  await eat('toad')
  for (const proto of ['https', 'HTTPS, http', 'made-up', 'httpsx']) await eat('green', { ...far, 'x-forwarded-proto': proto })
  await eat('green', { forwarded: 'for=198.51.100.7; proto=https' })
  await gateway.inject({ method: 'PROPFIND', url: '/api/tools/pond_eat' })
  const of = /^http_server_request_duration_seconds_count\{(.+)\} (\d+)$/gm
  const counts = Object.fromEntries([...(await scrape(gateway)).body.matchAll(of)].map(([, labels, count]) => [labels, Number(count)]))
  const route = 'http_request_method="POST",http_route="/api/tools/:name"'
  assert.deepEqual(counts, {
    [`${route},http_response_status_code="404",url_scheme="http",error_type=""`]: 1,
    [`${route},http_response_status_code="500",url_scheme="http",error_type="500"`]: 1,
    [`${route},http_response_status_code="401",url_scheme="https",error_type=""`]: 3,
    [`${route},http_response_status_code="401",url_scheme="http",error_type=""`]: 2,
    'http_request_method="_OTHER",http_route="",http_response_status_code="405",url_scheme="http",error_type=""': 1,
  })
})

test('a request of the stateless era is measured too, and whether its tool refused', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  const version = '2026-07-28'
  const call = (frog: string) =>
    gateway.inject({
      method: 'POST',
      url: '/mcp',
      headers: { accept, 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'pond_eat' },
      body: rpc('tools/call', {
        name: 'pond_eat',
        arguments: { frog },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    })
  assert.deepEqual([(await call('green')).status, (await call('prince')).status], [200, 200])
  const lines = (await scrape(gateway)).body.split('\n')
  for (const error of ['', 'tool_error'])
    assert.ok(
      lines.includes(`mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",error_type="${error}"} 1`),
      error || 'ok',
    )
})

test('what a synthetic tenant does, and what no tool is called, are nobody’s figures', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  await gateway.call('pond_eat', { frog: 'green' }, { as: { tenantId: syntheticTenant('canary') } })
  const { body } = await scrape(gateway)
  assert.doesNotMatch(body, /gateway_calls_total\{|gen_ai_execute_tool_duration_seconds_count\{/)
})

test('it is the operator’s: the admin token, local trust or the local token; a tenant’s key is not enough', async () => {
  const admin = 'an-admin-token-for-tests'
  const local = 'a-local-token-for-tests'
  await using gateway = await startTestGateway({ plugins: [pond], env: { ADMIN_API_TOKEN: admin, GATEWAY_LOCAL_TOKEN: local } })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live' })
  const far = { 'x-forwarded-for': '198.51.100.7' }
  const statusOf = async (headers: Record<string, string>) => (await scrape(gateway, headers)).status
  assert.deepEqual(
    {
      local: await statusOf({}),
      far: await statusOf(far),
      admin: await statusOf({ ...far, 'x-admin-token': admin }),
      wrongAdmin: await statusOf({ 'x-admin-token': 'some-other-admin-token' }),
      bearer: await statusOf({ ...far, authorization: `Bearer ${local}` }),
      owner: await statusOf({ ...far, 'x-api-key': apiKey }),
      foreignHost: await statusOf({ host: 'evil.example' }),
    },
    { local: 200, far: 401, admin: 200, wrongAdmin: 401, bearer: 200, owner: 403, foreignHost: 403 },
  )
  const { body } = await scrape(gateway)
  assert.match(body, /^gateway_refusals_total\{code="UNAUTHORIZED"\} 2$/m)
  assert.match(body, /^gateway_refusals_total\{code="FORBIDDEN"\} 2$/m)
})

test('no series names a tenant, unless that is switched on', async () => {
  for (const [value, expected] of [
    ['0', ''],
    ['1', ',tenant="acme"'],
  ] as const) {
    await using gateway = await startTestGateway({ plugins: [pond], env: { GATEWAY_METRICS_TENANTS: value } })
    await gateway.call('pond_eat', { frog: 'green' }, { as: { tenantId: 'acme' } })
    const { body } = await scrape(gateway)
    assert.ok(body.includes(`gateway_calls_total{kind="tool",via="mcp",error_type=""${expected}} 1\n`))
    assert.equal(body.includes('acme'), value === '1')
  }
})

test('by a setting it also stands alone on a port of the loopback, for scrapers without a credential and for no page', async () => {
  await using test = await startTestGateway({ plugins: [] })
  const dataDir = `${test.dataDir}/other`
  const settings = loadSettings({
    env: { GATEWAY_PORT: '0', GATEWAY_METRICS_PORT: '0', GATEWAY_LOOPBACK_TRUST: '0', GATEWAY_DATA_DIR: dataDir },
    cwd: test.dataDir,
  })
  const gateway = await boot({ plugins: [pond], settings, log: pino({ level: 'silent' }), env: {} })
  const served = await serve(gateway)
  const statusOf = (url: string, headers = {}, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      httpRequest(url, { headers, method, agent: false }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  try {
    const { metricsUrl: url } = served
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    assert.equal(await statusOf(`${served.url}/metrics`), 401)
    assert.deepEqual(
      [
        await statusOf(url),
        await statusOf(url, { host: 'evil.example' }),
        await statusOf(url, { origin: 'http://localhost:3000' }),
        await statusOf(url.replace('/metrics', '/api/tools')),
        await statusOf(url, {}, 'POST'),
      ],
      [200, 403, 403, 404, 405],
    )
  } finally {
    await served.close()
    await gateway.stop()
  }
  await assert.rejects(statusOf(served.metricsUrl), { code: 'ECONNREFUSED' })
})

test('the store, the audit trail, jobs and the process show how they are', async () => {
  await using gateway = await startTestGateway({ plugins: [pond] })
  await gateway.call('pond_eat', { frog: 'green' })
  const { body } = await scrape(gateway)
  const valueOf = (name: string): number => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(body)?.[1])
  for (const name of [
    'gateway_store_commits_total',
    'gateway_store_writes_total',
    'gateway_store_log_size_bytes',
    'gateway_audit_records_total',
  ])
    assert.ok(valueOf(name) > 0, name)
  assert.equal(valueOf('gateway_store_writable'), 1)
  for (const name of ['gateway_audit_owing', 'gateway_jobs_late', 'gateway_jobs_lateness_seconds', 'gateway_calls_active'])
    assert.equal(valueOf(name), 0, name)
  for (const name of [
    'process_memory_usage_bytes',
    'v8js_memory_heap_used_bytes',
    'process_cpu_time_seconds_total',
    'process_uptime_seconds',
  ])
    assert.ok(valueOf(name) > 0, name)
  assert.ok(valueOf('nodejs_eventloop_delay_p99_seconds') >= 0)
})
