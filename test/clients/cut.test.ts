import assert from 'node:assert/strict'
import { test } from 'node:test'
import conformance from '@gateway/example-conformance'
import { startTestGateway } from '@gateway/testing'
import type { Host } from './agent.ts'
import { sdk1 } from './sdk-1.ts'

/** The client reports each broken stream. */
const host = (failed: Host['failed']): Host => ({ fillIn: () => ({}), say: () => '', roots: [], heard: () => {}, failed })

/** A `fetch` whose first event stream breaks after its first piece with this text. */
function cutAfter(text: string, cut: () => void): typeof fetch {
  let done = false
  return async (url, init) => {
    const response = await fetch(url, init)
    if (done || response.body === null || init?.method !== 'POST') return response
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const decoder = new TextDecoder()
    const breaking = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk)
        if (!decoder.decode(chunk, { stream: true }).includes(text)) return
        done = true
        cut()
        controller.error(new Error('the line was cut'))
      },
    })
    return new Response(response.body.pipeThrough(breaking), response)
  }
}

test('a client whose stream is cut comes back to it, misses nothing and hears nothing twice', { timeout: 60_000 }, async () => {
  await using gateway = await startTestGateway({ plugins: [conformance], listen: true })
  const faults: Error[] = []
  let cuts = 0
  const agent = await sdk1(
    `${gateway.url}/mcp`,
    host((error) => faults.push(error)),
    { fetch: cutAfter('"progress":0', () => cuts++) },
  )
  const heard: number[] = []
  const { text } = await agent.call('test_tool_with_progress', {}, { onProgress: (done) => heard.push(done) })
  assert.deepEqual([cuts, heard, text], [1, [0, 50, 100], 'Done, in two steps.'])
  assert.deepEqual(
    faults.map(({ message }) => message),
    ['SSE stream disconnected: Error: the line was cut'],
  )
  await agent.close()
})

test('a client that the gateway lets go comes back for the answer', { timeout: 60_000 }, async () => {
  await using gateway = await startTestGateway({ plugins: [conformance], listen: true })
  const faults: Error[] = []
  const agent = await sdk1(
    `${gateway.url}/mcp`,
    host((error) => faults.push(error)),
  )
  assert.equal((await agent.call('test_reconnection')).text, 'You came back.')
  await agent.close()
  assert.deepEqual(faults, [])
})
