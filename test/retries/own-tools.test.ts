import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import pluginTools from '@gateway/plugin-plugin-tools'
import { startTestGateway } from '@gateway/testing'
import { keyedFaces } from './keyed-faces.ts'

test("a tenant's own tool that is called again with its key is called once, over REST and both protocols of MCP", async () => {
  const received: string[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push((await request.toArray()).join(''))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ calls: received.length }))
  }
  const server = createServer((request, response) => void reply(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await using gateway = await startTestGateway({ plugins: [outgoing, pluginTools], env: { PLUGIN_TOOLS_ENABLED: '1' } })
    await gateway.call('plugin_tools_register', {
      name: 'shout',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      handlerUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shout`,
    })
    const faces = await keyedFaces(gateway)
    for (const [at, [name, first]] of Object.entries(faces).entries()) {
      const { value, ok, replayed } = await first('shout', { text: 'hello' }, name)
      assert.deepEqual([ok, replayed, received.length], [true, false, at + 1], JSON.stringify(value))
      for (const again of Object.values(faces)) {
        assert.deepEqual(await again('shout', { text: 'hello' }, name), { ok, value, replayed: true, omitted: false })
        assert.equal((await again('shout', { text: 'bye' }, name)).value.code, 'IDEMPOTENCY_KEY_REUSED')
      }
      assert.equal(received.length, at + 1)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
