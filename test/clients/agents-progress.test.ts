import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import agents from '@gateway/plugin-agents'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import type { Host } from './agent.ts'
import { client2 } from './client-2.ts'
import { sdk1 } from './sdk-1.ts'

// A streaming model: it sends the rest only after the client has received its first words.

let gateway: TestGateway
let isHeard: Promise<void>
let heard: () => void
const model = createServer((request, response) => request.resume().on('end', () => void stream(response)))
const piece = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(piece('First, '))
  await isHeard
  // Progress is sent a few times a second at most.
  await sleep(250)
  response.write(piece('then the rest.'))
  response.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`)
}

before(async () => {
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
  const local = { wire: 'openai', baseUrl, models: { standard: 'middle', premium: 'large' } }
  gateway = await startTestGateway({
    plugins: [outgoing, providers, agents],
    config: { providers: { providers: { local } } },
    listen: true,
  })
})
after(async () => {
  await gateway.stop()
  model.closeAllConnections()
  model.close()
})

const host: Host = { fillIn: () => ({}), say: () => '', roots: [], heard: () => undefined, failed: () => undefined }

for (const [name, connect] of [
  ['the SDK of the handshake era', () => sdk1(`${gateway.url}/mcp`, host)],
  ['the client of both eras, pinned to the stateless one', () => client2(`${gateway.url}/mcp`, host, { pin: '2026-07-28' })],
] as const)
  test(`${name} hears how far an agent’s answer is while it comes, rising, and then gets the whole`, { timeout: 60_000 }, async () => {
    isHeard = new Promise((resolve) => (heard = resolve))
    const agent = await connect()
    try {
      const told: number[] = []
      const onProgress = (done: number): void => {
        told.push(done)
        heard()
      }
      const { text, isError } = await agent.call('agents_invoke', { agent: 'planner', message: 'Plan.' }, { onProgress })
      assert.ok(told.length >= 1, 'it has heard before the answer was whole')
      assert.deepEqual(
        told,
        [...new Set(told)].sort((a, b) => a - b),
      )
      assert.deepEqual([isError, JSON.parse(text ?? '').text], [false, 'First, then the rest.'])
    } finally {
      await agent.close()
    }
  })
