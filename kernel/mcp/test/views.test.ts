import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { closed, definePlugin, defineTool, type Plugin, type Role, type Tool, Type } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { inventory } from '../../core/src/registry/inventory.ts'
import { core, everything, familyViews } from '../src/views.ts'
import { listsPerRole } from './lists-per-role.ts'

const tool = (name: string, listing: Tool['listing'] = 'default', capability: Tool['capability'] = 'read'): Tool =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    capability,
    effect: 'read',
    listing,
    input: Type.Object({}, closed),
    output: Type.Object({}),
    handle: async () => ({ name }),
  })
const family = (id: string, ...tools: Tool[]): Plugin => definePlugin({ id, sdk: '^1.0.0', description: `The family ${id}.`, tools })

const fruit = family('fruit', tool('apple', 'core'), tool('pear'), tool('quince', 'default', 'configure'))
const nuts = family('nuts', tool('almond'), tool('walnut', 'core', 'configure'))
const finders = family('finders', tool('find', 'core-only'), tool('fetch', 'core-only', 'configure'))
const plugins = [fruit, nuts, finders, family('empty')]

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins })
})
after(() => gateway.stop())

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const post = (url: string, body: object) => gateway.inject({ method: 'POST', url, body })
const namesAt = async (url: string): Promise<string[]> =>
  (await post(url, rpc('tools/list'))).json().result.tools.map(({ name }: Tool) => name)

/** Tools that each address lists, over MCP and over REST. */
const listed: Readonly<Record<string, readonly string[]>> = {
  all: ['apple', 'pear', 'quince', 'almond', 'walnut'],
  core: ['apple', 'walnut', 'find', 'fetch'],
  't/fruit': ['apple', 'pear', 'quince'],
  't/nuts,fruit': ['apple', 'pear', 'quince', 'almond', 'walnut'],
  't/nuts%2Cfruit': ['apple', 'pear', 'quince', 'almond', 'walnut'],
  't/nuts,nuts': ['almond', 'walnut'],
}

for (const [view, names] of Object.entries(listed)) {
  test(`the view ${view} lists ${names.join(', ')}`, async () => {
    assert.deepEqual(await namesAt(view === 'all' ? '/mcp' : `/mcp/${view}`), names)
    const { count, tools } = (await gateway.inject({ method: 'GET', url: `/api/tools?view=${view}` })).json()
    assert.deepEqual([count, tools.map(({ name }: Tool) => name)], [names.length, names])
  })
}

test('every address of MCP is served with a slash after it too, without a redirect', async () => {
  for (const [view, names] of Object.entries(listed)) {
    const address = view === 'all' ? '/mcp' : `/mcp/${view}`
    for (const url of [`${address}/`, `${address}/?from=host`]) assert.deepEqual(await namesAt(url), names, url)
  }
  assert.deepEqual(await namesAt('/core/mcp/'), listed.core)
  for (const method of ['GET', 'DELETE']) {
    const [plain, slash] = await Promise.all(['/mcp', '/mcp/'].map((url) => gateway.inject({ method, url })))
    assert.deepEqual([slash?.status, slash?.json().error.code], [plain?.status, plain?.json().error.code], method)
  }
  const lost = await gateway.inject({ method: 'POST', url: '/sse/messages/?sessionId=none', body: rpc('ping') })
  assert.equal(lost.status, (await gateway.inject({ method: 'POST', url: '/sse/messages?sessionId=none', body: rpc('ping') })).status)
  for (const url of ['/mcp//', '/mcp/x/', '/mcp/t/', '/api/tools/']) {
    const { status } = await gateway.inject({ method: 'POST', url, body: rpc('tools/list') })
    assert.equal(status, 404, url)
  }
})

test('the core list stands at /core/mcp too, for clients that want an address to end in /mcp', async () => {
  assert.deepEqual(await namesAt('/core/mcp'), listed.core)
  const broken = await gateway.inject({ method: 'POST', url: '/core/mcp', headers: { 'content-type': 'text/plain' }, body: '{}' })
  assert.deepEqual([broken.status, broken.json().jsonrpc, broken.json().error.data.code], [415, '2.0', 'UNSUPPORTED_MEDIA_TYPE'])
})

test('over REST the default list is that of /mcp', async () => {
  const list = async (url: string) => (await gateway.inject({ method: 'GET', url })).json()
  assert.deepEqual(await list('/api/tools'), await list('/api/tools?view=all'))
})

test('a view is a list: every tool can be called at every address, and by its name over REST', async () => {
  for (const url of ['/mcp', '/mcp/core', '/mcp/t/nuts']) {
    for (const name of ['pear', 'find']) {
      assert.deepEqual((await post(url, rpc('tools/call', { name }))).json().result.structuredContent, { name }, `${name} at ${url}`)
    }
  }
  assert.deepEqual((await post('/api/tools/find', {})).json(), { name: 'find' })
})

describe('a family that is not there', () => {
  const cases: [path: string, unknown: string[]][] = [
    ['vegetables', ['vegetables']],
    ['fruit,vegetables,roots', ['vegetables', 'roots']],
    ['fruit,', ['']],
    ['Fruit', ['Fruit']],
    // The default list contains no tool of these.
    ['finders', ['finders']],
    ['empty', ['empty']],
    ['__proto__', ['__proto__']],
  ]
  for (const [path, unknown] of cases) {
    test(`${path} is 404 with the families there are`, async () => {
      const families = ['fruit', 'nuts']
      const message = `No tool family ${unknown.map((one) => JSON.stringify(one)).join(', ')}; there are: fruit, nuts.`
      for (const method of ['tools/list', 'initialize', 'tools/call']) {
        const answer = await post(`/mcp/t/${path}`, rpc(method))
        const { id, error } = answer.json()
        assert.deepEqual([answer.status, id, error.message], [404, 1, message])
        assert.deepEqual([error.data.code, error.data.details], ['UNKNOWN_FAMILY', { unknown, families }])
      }
      const rest = await gateway.inject({ method: 'GET', url: `/api/tools?view=t/${path}` })
      assert.deepEqual([rest.status, rest.json().code, rest.json().details], [404, 'UNKNOWN_FAMILY', { unknown, families }])
    })
  }

  test('a long one is not said back whole', async () => {
    const { error } = (await post(`/mcp/t/${'x,'.repeat(50)}${'y'.repeat(5_000)}`, rpc('tools/list'))).json()
    assert.ok(JSON.stringify(error).length < 2_000)
  })

  test('a family that was switched off is not there', async () => {
    await using other = await startTestGateway({ plugins, config: { nuts: false } })
    const { status, json } = await other.inject({ method: 'POST', url: '/mcp/t/nuts', body: rpc('tools/list') })
    assert.deepEqual([status, json().error.data.details.families], [404, ['fruit']])
  })
})

test('an unknown view over REST is refused by name', async () => {
  for (const view of ['view=', 'view=some', 'view=t', 'view=core&view=all']) {
    const { status, json } = await gateway.inject({ method: 'GET', url: `/api/tools?${view}` })
    assert.deepEqual([status, json().code, json().details.field], [400, 'BAD_REQUEST', 'view'], view)
  }
})

describe('a list', () => {
  const parts = { inventory: inventory(plugins), settings: { rbacEnforce: true, mcpPageSize: 1_000 } as Settings }
  const lists = listsPerRole(parts)
  const families = familyViews(parts.inventory)
  const names = (role: Role, view = everything): string[] =>
    JSON.parse(lists(role, view)({}).toString()).tools.map(({ name }: Tool) => name)

  test('holds in every view what the role may call, and nothing else', () => {
    assert.deepEqual(names('viewer'), ['apple', 'pear', 'almond'])
    assert.deepEqual(names('viewer', core), ['apple', 'find'])
    assert.deepEqual(names('viewer', families('nuts')), ['almond'])
    assert.deepEqual(names('admin', core), listed.core)
  })

  test('is made once for every way to name the same families', () => {
    assert.equal(lists('viewer', families('nuts,fruit')), lists('viewer', families('fruit,nuts,nuts')))
    assert.notEqual(lists('viewer', families('nuts')), lists('viewer', families('fruit')))
    assert.notEqual(lists('viewer', families('nuts')), lists('admin', families('nuts')))
  })

  test('stays right when callers name families in more ways than are kept', () => {
    for (let times = 1; times <= 500; times++) {
      const view = families(Array.from({ length: times }, () => 'nuts').join(','))
      assert.deepEqual(names('viewer', view), ['almond'])
    }
  })
})
