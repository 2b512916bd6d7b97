import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { openForwarder } from '../src/operations/forwarder.ts'

test('requests are passed on with their body, to the path of the gateway, and marked as forwarded', async () => {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { url, method, headers } = request
    response
      .writeHead(201, { 'x-mine': 'yes' })
      .end(JSON.stringify({ url, method, body, from: headers['x-forwarded-for'], host: headers.host }))
  }
  const server = createServer((request, response) => void reply(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const forwarder = await openForwarder(`http://${host}/gateway`)
  try {
    const answer = await fetch(`${forwarder.url}/api/x?y=1`, { method: 'POST', body: 'hello' })
    assert.deepEqual([answer.status, answer.headers.get('x-mine')], [201, 'yes'])
    assert.deepEqual(await answer.json(), { url: '/gateway/api/x?y=1', method: 'POST', body: 'hello', from: '127.0.0.1', host })

    const socket = connect(Number(new URL(forwarder.url).port), '127.0.0.1')
    socket.end('GET http://elsewhere.test/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const [first] = (await once(socket, 'data')) as [Buffer]
    assert.match(first.toString(), /^HTTP\/1\.1 400 /)

    server.closeAllConnections()
    server.close()
    assert.equal((await fetch(`${forwarder.url}/api/x`)).status, 502)
  } finally {
    await forwarder.close()
  }
  await assert.rejects(fetch(forwarder.url))
})
