import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin], listen: true })
})
after(() => gateway.stop())

const wait = (path: string, body: object): string => {
  const text = JSON.stringify(body)
  const head = ['Host: 127.0.0.1', 'Accept: application/json, text/event-stream', 'Content-Type: application/json']
  return `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}
const overMcp = (params: object = {}): string =>
  wait('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'transport_wait', ...params } })

/** Requests on one connection that do not wait for each other's answers. */
async function send(...requests: readonly string[]): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(requests.join(''))
  return socket
}

test('a client that hangs up gives up all it asked for on that connection, not only what is to be answered next', async () => {
  const progress = { arguments: { steps: 2 }, _meta: { progressToken: 1 } }
  const socket = await send(wait('/api/transport/wait', {}), wait('/api/tools/transport_wait', {}), overMcp(), overMcp(progress))
  await transport.arrived(4)
  socket.destroy()
  await transport.gone()
})

test('who waits behind another is answered in turn, and its hanging up after that disturbs nobody', async () => {
  const socket = await send(wait('/api/transport/wait', {}), overMcp())
  await transport.arrived(2)
  transport.release()
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.split('released').length > 3) break
  }
  assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2)
  assert.deepEqual(
    gateway.logs.filter(({ level }) => Number(level) >= 40),
    [],
  )
})
