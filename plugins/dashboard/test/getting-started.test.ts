import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, contribute, definePlugin, defineTool, type GettingStartedStep, gettingStarted, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import dashboard from '../src/index.ts'

let isDug = false
const garden = definePlugin({
  id: 'garden',
  sdk: '^1.0.0',
  description: 'A garden.',
  tools: [
    defineTool({
      name: 'bed_list',
      description: 'Lists the beds.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      handle: async () => ({}),
    }),
  ],
  contributes: [
    contribute(gettingStarted, {
      create: () => ({
        id: 'dig',
        order: 5,
        title: 'Dig',
        text: 'Dig a bed.',
        snippets: [{ label: 'Shell', code: 'dig {url}' }],
        link: { to: '/beds' },
        isDone: async () => isDug,
      }),
    }),
    contribute(gettingStarted, {
      create: () => ({ id: 'broken', order: 1, title: 'Broken', text: 'It fails.', isDone: () => Promise.reject(new Error('broken')) }),
    }),
    contribute(gettingStarted, {
      create: (): GettingStartedStep => ({
        id: 'secret',
        order: 2,
        title: 'Secret',
        text: 'For operators.',
        capability: 'operator',
        isDone: async () => true,
      }),
    }),
  ],
})

interface Step {
  readonly id: string
  readonly done: boolean
}
async function stepsOf(gateway: TestGateway, headers: Record<string, string> = {}): Promise<(string | boolean)[][]> {
  const { steps } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/getting-started', headers })).json()
  return steps.map(({ id, done }: Step) => [id, done])
}

test('the steps of all families come in order, tick themselves, and one that fails counts as not taken', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard, garden] })
  assert.deepEqual(await stepsOf(gateway), [
    ['broken', false],
    ['secret', true],
    ['dig', false],
    ['connect-agent', false],
  ])
  isDug = true
  const { steps, done } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/getting-started' })).json()
  assert.equal(done, 2)
  assert.deepEqual(steps[2], {
    id: 'dig',
    title: 'Dig',
    text: 'Dig a bed.',
    done: true,
    snippets: [{ label: 'Shell', code: 'dig {url}' }],
    to: '/beds',
  })
})

test('an agent is connected once it has called a tool over MCP, in its own tenant alone', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard, garden], env: { RBAC_ENFORCE: 'true' } })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
  const headers = { 'x-api-key': apiKey }
  const connected = async (of = {}) => (await stepsOf(gateway, of)).find(([id]) => id === 'connect-agent')?.[1]
  assert.equal(await connected(headers), false)
  assert.equal(
    (await stepsOf(gateway, headers)).some(([id]) => id === 'secret'),
    false,
    'a step for others is not shown',
  )
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bed_list', arguments: {} } }
  const answer = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: call,
  })
  assert.equal(answer.status, 200, answer.body)
  while (!(await connected(headers))) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await connected(), false)
})
