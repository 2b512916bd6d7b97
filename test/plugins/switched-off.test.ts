import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { plan } from '../../kernel/core/src/boot/plan.ts'

const off = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, false]))
const idsOf = (plugins: typeof standardPlugins): string[] => plugins.map(({ id }) => id)

test('every family can be switched off, or who needs it is named', () => {
  for (const absent of standardPlugins) {
    const rest = standardPlugins.filter((plugin) => plugin !== absent)
    const said = new RegExp(`^plugin '[a-z-]+' failed in plan: .*, since plugin '${absent.id}' is disabled; enable both, or disable both$`)
    try {
      plan(rest, { off: [{ id: absent.id, plugin: absent }] })
    } catch (error) {
      for (const fault of (error as { readonly faults: readonly string[] }).faults) assert.match(fault, said)
    }
  }
})

test('of a family that is switched off no tool, route, job or view is left on any transport, and the status says so', async () => {
  const gone = standardPlugins.filter(({ id }) => ['recurring', 'connectors', 'discovery', 'logs'].includes(id))
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: off(idsOf(gone)) })
  const get = (url: string) => gateway.inject({ method: 'GET', url })
  const mcp = async (method: string, params: object = {}, url = '/mcp') => {
    const headers = { accept: 'application/json, text/event-stream' }
    return (await gateway.inject({ method: 'POST', url, headers, body: { jsonrpc: '2.0', id: 1, method, params } })).json()
  }
  const names = gone.flatMap(({ tools, routes }) => [...tools, ...routes]).map(({ name }) => name)
  const lists = [(await get('/api/tools')).json(), (await mcp('tools/list')).result, (await mcp('tools/list', {}, '/mcp/core')).result]
  for (const { tools } of lists) {
    assert.deepEqual(
      tools.filter(({ name }: { name: string }) => names.includes(name)),
      [],
    )
  }
  const documented = JSON.stringify((await get('/api/openapi.json')).json())
  for (const name of names) {
    assert.ok(!documented.includes(`"${name}"`), name)
    assert.equal((await mcp('tools/call', { name, arguments: {} })).error.message, `Unknown tool: ${name}`)
  }
  for (const { rest } of gone.flatMap(({ tools, routes }) => [...tools, ...routes])) {
    const [method = '', path = ''] = (rest ?? 'GET /api/tools/none').split(' ')
    const { status } = await gateway.inject({ method, url: path.replaceAll(/:\w+/g, 'x') })
    assert.ok(status === 404 || status === 405, `${rest}: ${status}`)
  }
  for (const { id } of gone.flatMap(({ jobs }) => jobs)) await assert.rejects(gateway.runJob(id))
  for (const { id } of gone) assert.notEqual((await gateway.inject({ method: 'POST', url: `/mcp/t/${id}`, body: {} })).status, 200)
  const { plugins } = (await get('/status')).json()
  const outcomes = Object.fromEntries(plugins.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]))
  for (const { id } of standardPlugins) assert.equal(outcomes[id], gone.some((one) => one.id === id) ? 'off' : 'started')
})
