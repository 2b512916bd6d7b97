import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { clientOf } from '../src/client.ts'

async function withService<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a call whose answer is lost is repeated with the same idempotency key, and waits while the first one runs', async () => {
  const keys: unknown[] = []
  const answers: RequestListener[] = [
    (_request, response) => void response.socket?.destroy(),
    (_request, response) =>
      void response
        .writeHead(409)
        .end(JSON.stringify({ error: 'running', code: 'IDEMPOTENCY_IN_PROGRESS', details: { retryAfterSeconds: 0 } })),
    (_request, response) => void response.writeHead(201).end('{"taskId":"t1"}'),
  ]
  const answer = await withService(
    (request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      answers[keys.length - 1]?.(request, response)
    },
    (url) => clientOf({ url, source: 'local' }, {}).call('tasks_create', { title: 'x' }),
  )
  assert.deepEqual(answer, { taskId: 't1' })
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
})

test('each call has a key of its own, and a refusal is not repeated', async () => {
  const keys: unknown[] = []
  await withService(
    (request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      response.writeHead(404).end('{"error":"no such task","code":"NOT_FOUND"}')
    },
    async (url) => {
      const client = clientOf({ url, source: 'local' }, {})
      await assert.rejects(client.call('tasks_update'), /NOT_FOUND/)
      await assert.rejects(client.call('tasks_update', {}, 'mine'), /NOT_FOUND/)
    },
  )
  assert.equal(keys.length, 2)
  assert.equal(keys[1], 'mine')
})

test('a client with a limit of its own repeats a call with a key once after that time, and no other one', async () => {
  const requests: unknown[] = []
  await withService(
    (request, response) => {
      requests.push(request.headers['idempotency-key'])
      request.resume()
      if (requests.length === 2) response.writeHead(200).end('{"taskId":"t1"}')
    },
    async (url) => {
      const client = clientOf({ url, source: 'local' }, {}).within(300)
      assert.deepEqual(await client.call('tasks_update'), { taskId: 't1' })
      assert.deepEqual([requests.length, new Set(requests).size], [2, 1])
      await assert.rejects(client.post('/api/logs/batch', {}), /No gateway answers/)
      assert.equal(requests.length, 3)
      await assert.rejects(client.call('tasks_update'), /No gateway answers/)
      assert.equal(requests.length, 5)
    },
  )
})
