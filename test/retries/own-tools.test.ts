import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import pluginTools from '@gateway/plugin-plugin-tools'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { keyedTransports } from './keyed-transports.ts'

/** A gateway with one tool of the tenant, and what its handler received. */
async function withTool(
  name: string,
  properties: object,
  work: (gateway: TestGateway, received: readonly string[]) => Promise<void>,
): Promise<void> {
  const received: string[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push((await request.toArray()).join(''))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ calls: received.length }))
  }
  const server = createServer((request, response) => void reply(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await using gateway = await startTestGateway({ plugins: [outgoing, pluginTools], env: { PLUGIN_TOOLS_ENABLED: '1' } })
    const handlerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`
    await gateway.call('plugin_tools_register', { name, schema: { type: 'object', properties }, handlerUrl })
    await work(gateway, received)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test("a tenant's own tool that is called again with its key is called once, over REST and both protocols of MCP", () =>
  withTool('shout', { text: { type: 'string' } }, async (gateway, received) => {
    const faces = await keyedTransports(gateway)
    for (const [at, [name, first]] of Object.entries(faces).entries()) {
      const { value, ok, replayed } = await first('shout', { text: 'hello' }, name)
      assert.deepEqual([ok, replayed, received.length], [true, false, at + 1], JSON.stringify(value))
      for (const again of Object.values(faces)) {
        assert.deepEqual(await again('shout', { text: 'hello' }, name), { ok, value, replayed: true, omitted: false })
        assert.equal((await again('shout', { text: 'bye' }, name)).value.code, 'IDEMPOTENCY_KEY_REUSED')
      }
      assert.equal(received.length, at + 1)
    }
  }))

test("an argument idempotencyKey of a tenant's own tool reaches its handler, and is the key of the call too", () =>
  withTool('charge', { amount: { type: 'integer' }, idempotencyKey: { type: 'string' } }, async (gateway, received) => {
    const charge = (args: object, key?: string) =>
      gateway.inject({
        method: 'POST',
        url: '/api/tools/charge',
        body: args,
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      })
    const args = { amount: 5, idempotencyKey: 'pay-1' }
    const first = (await charge(args)).json()
    assert.deepEqual(JSON.parse(received.at(-1) as string).arguments, args)
    const calls = received.length
    assert.deepEqual((await charge(args, 'pay-1')).json(), first)
    assert.deepEqual((await charge({ amount: 5 }, 'pay-1')).json(), first)
    assert.equal((await charge(args, 'pay-2')).json().details.field, 'idempotencyKey')
    assert.equal(received.length, calls)
  }))
