import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { database, Node, skip } from './nodes.ts'

// Gateways on a database share the state of providers: a finding or an order at one reaches the others within seconds.
describe(`two gateways, one provider${skip ? ` (${skip})` : ''}`, { skip: skip !== false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-providers-'))
  let isWell = true
  let asked = 0
  const model = createServer((request, response) => {
    asked++
    request.resume().on('end', () => {
      response.writeHead(isWell ? 200 : 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: 'Well.' }, finish_reason: 'stop' }] }))
    })
  })
  let a: Node
  let b: Node
  before(async () => {
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
    const config = join(folder, 'gateway.config.json')
    const local = { wire: 'openai', baseUrl, models: { standard: 'middle', premium: 'large' } }
    writeFileSync(config, JSON.stringify({ plugins: { providers: { providers: { local } } } }))
    const url = database()
    a = await new Node(url, { GATEWAY_CONFIG: config }).start()
    b = await new Node(url, { GATEWAY_CONFIG: config }).start()
  })
  after(async () => {
    await Promise.all([a?.dispose(), b?.dispose()])
    model.closeAllConnections()
    model.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Health {
    readonly providers: readonly { readonly status: string; readonly circuitBreaker: { readonly state: string } }[]
  }
  const stands = async (node: Node): Promise<string> => {
    const [one] = ((await node.call('provider_health', { provider: 'local' })) as unknown as Health).providers
    return `${one?.status} ${one?.circuitBreaker.state}`
  }
  /** The others poll once a second. */
  const becomes = async (node: Node, wanted: string): Promise<void> => {
    let found = ''
    for (let n = 0; n < 1_500; n++) {
      found = await stands(node)
      if (found === wanted) return
      await sleep(100)
    }
    assert.equal(found, wanted)
  }
  const ask = (node: Node) => node.post('/api/tools/agents_invoke', { agent: 'planner', message: 'Plan.' })

  test('maintenance that begins at one holds at the other, and so does its end', { timeout: 180_000 }, async () => {
    assert.equal((await ask(b)).status, 200)
    await a.call('provider_maintenance_enter', { provider: 'local', reason: 'a new disk' })
    await becomes(b, 'maintenance closed')
    await a.call('provider_maintenance_exit', { provider: 'local' })
    await becomes(b, 'active closed')
    assert.equal((await ask(b)).status, 200)
  })

  test('a breaker that opened at one spares the provider the calls of the other, until it is reset anywhere', {
    timeout: 180_000,
  }, async () => {
    isWell = false
    while ((await stands(a)) !== 'active open') await ask(a)
    assert.equal(await stands(a), 'active open')
    await becomes(b, 'active open')
    const before = asked
    assert.equal((await ask(b)).status, 503)
    assert.equal(asked, before, 'it was not asked')
    isWell = true
    await b.call('provider_reset', { provider: 'local' })
    await becomes(b, 'active closed')
    await becomes(a, 'active closed')
    assert.equal((await ask(a)).status, 200)
  })
})
