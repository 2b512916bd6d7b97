import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const later = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

const TRANSPORTS = 3
let running = 0
let allRun = later()
let connectionEnded = later()
let mayLook = later()
const seen: boolean[] = []

const first = defineTool({
  name: 'gone_first',
  description: 'Wait until the client is gone.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  async handle(_args, _uses, { signal }) {
    if (!signal.aborted) await once(signal, 'abort')
    connectionEnded.resolve()
    return {}
  },
})
const late = defineTool({
  name: 'gone_late',
  description: 'Look at the signal for the first time when told to.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ aborted: Type.Boolean() }),
  async handle(_args, _uses, ctx) {
    running += 1
    if (running === TRANSPORTS) allRun.resolve()
    await mayLook.promise
    const { aborted } = ctx.signal
    seen.push(aborted)
    return { aborted }
  },
})

let gateway: TestGateway
before(async () => {
  const plugin = definePlugin({ id: 'gone', sdk: '^1.0.0', description: 'Calls whose client leaves.', tools: [first, late] })
  gateway = await startTestGateway({ plugins: [plugin], listen: true })
})
after(() => gateway.stop())

const VERSION = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': {} }

function request(path: string, body: object, headers: readonly string[] = []): string {
  const text = JSON.stringify(body)
  const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json', `Content-Length: ${text.length}`, ...headers]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
const call = (params: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'gone_late', ...params } })
const overEachTransport = [
  request('/api/tools/gone_late', {}),
  request('/mcp', call({})),
  request('/mcp', call({ _meta: meta }), [`MCP-Protocol-Version: ${VERSION}`, 'Mcp-Method: tools/call', 'Mcp-Name: gone_late']),
]

async function send(...requests: readonly string[]): Promise<Socket> {
  running = 0
  seen.length = 0
  allRun = later()
  mayLook = later()
  connectionEnded = later()
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(requests.join(''))
  await allRun.promise
  return socket
}

test('a handler that looks at its signal only after its client has gone finds it aborted, over every transport', async () => {
  const socket = await send(request('/api/tools/gone_first', {}), ...overEachTransport)
  socket.destroy()
  await connectionEnded.promise
  mayLook.resolve()
  await mayLook.promise
  assert.deepEqual(seen, [true, true, true])
})

test('while its client waits, it finds it untouched', async () => {
  const socket = await send(...overEachTransport)
  mayLook.resolve()
  await mayLook.promise
  assert.deepEqual(seen, [false, false, false])
  socket.destroy()
})
