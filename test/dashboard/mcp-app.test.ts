import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { needing } from '../support/programs.ts'
import { axeFaults, startDashboard } from './support.ts'

/** The policy that the specification of MCP Apps gives an app which asks for nothing. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'"

/** A host: it holds the app in a sandboxed frame, and answers its messages. `window.call` is a function of the test. */
const HOST = `<!doctype html><html lang="en"><title>Host</title><iframe title="App" sandbox="allow-scripts" width="600" height="700"></iframe><script>
const frame = document.querySelector('iframe')
window.said = []
window.notify = (method, params) => frame.contentWindow.postMessage({ jsonrpc: '2.0', method, params }, '*')
window.addEventListener('message', async ({ data }) => {
  said.push(data)
  if (data.id === undefined || data.method === undefined) return
  const answer = (result) => frame.contentWindow.postMessage({ jsonrpc: '2.0', id: data.id, result }, '*')
  if (data.method === 'ui/initialize')
    answer({ protocolVersion: data.params.protocolVersion, hostInfo: { name: 'test', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: { theme: 'dark' } })
  if (data.method === 'tools/call') answer(JSON.parse(await window.call(JSON.stringify(data.params))))
})
frame.src = '/app'
</script></html>`

const { name, skip } = needing('chromium', 'a host shows the desk in a frame: a swarm is approved, a review decided, and the queue seen')
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  await call('swarm_plan', { goal: 'Ship the release', repo: 'org/api', children: [{ title: 'Tag it' }] })
  for (const title of ['Oil the hinges', 'Count the posts']) {
    const { task } = await call('tasks_create', { repo: 'org/api', title })
    const { task: claimed } = await call('tasks_claim', { taskId: task.taskId, claimedBy: 'ada' })
    await call('tasks_update', { taskId: task.taskId, claimId: claimed.claimId, status: 'review', notes: `${title}: it is done.` })
  }

  const client = new Client({ name: 'host', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)) as never)
  const { tools } = await client.listTools()
  const uri = (tools.find((tool) => tool.name === 'tasks_list')?._meta as { ui: { resourceUri: string } } | undefined)?.ui.resourceUri ?? ''
  const { resources } = await client.listResources()
  assert.equal(resources.find((one) => one.uri === uri)?.mimeType, 'text/html;profile=mcp-app')
  const { contents } = await client.readResource({ uri })
  const html = (contents[0] as { text: string }).text
  assert.doesNotMatch(html, /(?:src|href)=["']?(?:https?:)?\/\//)

  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (url === '/app') response.setHeader('content-security-policy', POLICY)
    response.end(url === '/app' ? html : HOST)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const page = await dashboard.open('/health')
    await page.exposeFunction('call', async (params: string) => JSON.stringify(await client.callTool(JSON.parse(params))))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const app = page.frameLocator('iframe')
    await app.getByRole('region', { name: 'Swarms to approve' }).getByText('Ship the release').waitFor()
    assert.equal(await app.getByRole('region', { name: 'Work to review' }).getByRole('listitem').count(), 2)
    await app.getByRole('button', { name: 'Approve: Ship the release' }).click()
    await app.getByText('No swarm waits for an approval.').waitFor()
    await app.getByRole('region', { name: 'Queue' }).getByText('Tag it').waitFor()
    await app.getByRole('button', { name: 'Accept: Oil the hinges' }).click()
    await app.getByText('Accepted: Oil the hinges').waitFor()
    await app.getByRole('button', { name: 'Send back: Count the posts' }).click()
    await app.getByLabel('What is missing?').fill('The last post.')
    await app.getByRole('button', { name: 'Send back', exact: true }).click()
    await app.getByText('No work is in review.').waitFor()
    const { tasks } = await call('tasks_list', { repo: 'org/api' })
    const found = Object.fromEntries(tasks.map((task: { title: string }) => [task.title, task]))
    assert.equal(found['Oil the hinges'].status, 'done')
    assert.deepEqual([found['Count the posts'].status, found['Count the posts'].notes.endsWith('The last post.')], ['pending', true])
    assert.equal((await call('swarm_list', {})).swarms[0].status, 'active')

    await call('tasks_create', { repo: 'org/api', title: 'Came with a result' })
    await page.evaluate(`notify('ui/notifications/tool-result', { content: [] })`)
    await app.getByText('Came with a result').waitFor()
    const said = await page.evaluate<{ method?: string }[]>('said')
    assert.equal(said[0]?.method, 'ui/initialize')
    assert.equal(said[1]?.method, 'ui/notifications/initialized')
    assert.ok(said.some(({ method }) => method === 'ui/notifications/size-changed'))
    assert.deepEqual(await axeFaults(page), [])
  } finally {
    server.close()
    await client.close()
  }
})
