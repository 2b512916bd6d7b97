import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import pluginTools from '@gateway/plugin-plugin-tools'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { createHandler } from '../../examples/https-handler/handler.mjs'
import { freePort } from '../support/ports.ts'

const TOOL = {
  name: 'count_words',
  description: 'Count the words of a text. Returns {words}.',
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
}

/** Registers first, since it cannot check a signature before it knows the secret; a tenant does the same. */
async function withHandler(gateway: TestGateway, run: (url: string, secret: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const handlerUrl = `http://127.0.0.1:${port}/`
  const { secret } = await gateway.call('plugin_tools_register', { ...TOOL, handlerUrl })
  const server = createHandler(secret, () => gateway.clock.now()) as Server
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  try {
    await run(handlerUrl, secret)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const start = () => startTestGateway({ plugins: [outgoing, pluginTools], env: { PLUGIN_TOOLS_ENABLED: '1' } })

test('the handler answers what the gateway sends it', async () => {
  await using gateway = await start()
  await withHandler(gateway, async () => {
    assert.deepEqual(await gateway.call('count_words', { text: 'one two  three' }), { result: { words: 3 } })
    await assert.rejects(gateway.call('count_words', {}), { code: 'BAD_REQUEST' })
  })
})

test('the handler answers nobody else, and nothing that was recorded', async () => {
  await using gateway = await start()
  await withHandler(gateway, async (url, secret) => {
    const { signatureHeaders } = await import('../../plugins/outgoing/src/rules/signature.ts')
    const body = JSON.stringify({ tool: 'count_words', arguments: { text: 'a b' }, tenantId: 'local' })
    const status = async (sent: Record<string, string>, text = body): Promise<number> =>
      (await fetch(url, { method: 'POST', headers: sent, body: text })).status
    const now = new Date(gateway.clock.now())
    const headers = (key: string, at: Date) => signatureHeaders({ key, as: 'gateway' }, body, at)
    const signed = headers(secret, now)
    assert.equal(await status({ ...signed }), 200)
    assert.equal(await status({}), 401)
    assert.equal(await status({ ...signed }, body.replace('a b', 'a c')), 401)
    assert.equal(await status({ ...headers('pts_other', now) }), 401)
    assert.equal(await status({ ...headers(secret, new Date(now.getTime() - 301_000)) }), 401)
    assert.equal(await status({ ...signed, 'x-gateway-timestamp': String(Number(signed['x-gateway-timestamp']) + 1) }), 401)
  })
})
