import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createRaw } from 'node:net'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { caller, outgoing, refusal, server, until } from './support.ts'

describe('a call', () => {
  test('is sent as it is, and its answer is handed on whatever its status; a redirect is one like any other', async () => {
    await using remote = await server((request, response) => {
      const status = Number(request.headers['x-want'])
      response.writeHead(status, { location: '/elsewhere', 'x-back': 'yes' }).end(`status ${status}`)
    })
    await using out = outgoing()
    for (const status of [200, 201, 302, 404, 429, 500]) {
      const answer = await out.send(remote.url, { method: 'PUT', body: 'é', headers: { 'x-want': String(status) } })
      assert.deepEqual([answer.status, answer.headers['x-back'], answer.body.toString()], [status, 'yes', `status ${status}`])
    }
    assert.equal(remote.received.length, 6)
    assert.deepEqual(
      remote.received.map(({ method, body }) => [method, body.toString()]),
      Array(6).fill(['PUT', 'é']),
    )
    assert.equal((await out.send(remote.url, { method: 'HEAD', headers: { 'x-want': '200' } })).body.length, 0)
  })

  test('is GET without a body and POST with one', async () => {
    await using remote = await server((_request, response) => void response.end())
    await using out = outgoing()
    await out.send(remote.url)
    await out.send(remote.url, { body: new Uint8Array([0, 255]) })
    assert.deepEqual(
      remote.received.map(({ method, body }) => [method, [...body]]),
      [
        ['GET', []],
        ['POST', [0, 255]],
      ],
    )
  })

  test('leaves only when `beforeEffect` of its caller has ended, unless it is a read, and not at all when that fails', async () => {
    await using remote = await server((_request, response) => void response.end())
    await using out = outgoing()
    const arrived: number[] = []
    const asker = (fault?: Error) => ({
      tenantId: 'acme',
      signal: new AbortController().signal,
      now: () => new Date(out.clock.now),
      async beforeEffect() {
        arrived.push(remote.received.length)
        if (fault) throw fault
      },
    })
    const request = { url: remote.url, reach: 'loopback' } as const
    await out.http.send(request, asker())
    assert.deepEqual([arrived, remote.received.length], [[], 1])
    await out.http.send({ ...request, body: '{}' }, asker())
    assert.deepEqual([arrived, remote.received.length], [[1], 2])
    await assert.rejects(out.http.send({ ...request, method: 'DELETE' }, asker(new Error('taken'))), { message: 'taken' })
    assert.equal(remote.received.length, 2)
  })

  test('is signed over the bytes that leave, with its time; for webhooks also over the body alone', async () => {
    await using remote = await server((_request, response) => void response.end())
    await using out = outgoing()
    const body = new Uint8Array([0x7b, 0xff, 0x00, 0x7d])
    const hmac = (...parts: (string | Uint8Array)[]): string => {
      const made = createHmac('sha256', 'secret')
      for (const part of parts) made.update(part)
      return `sha256=${made.digest('hex')}`
    }
    await out.send(remote.url, { body, signature: { key: 'secret', as: 'gateway' } })
    await out.send(remote.url, { body, signature: { key: 'secret', as: 'webhook' } })
    const [plain, webhook] = remote.received.map(({ headers }) => headers)
    const timestamp = String(out.clock.now / 1_000)
    for (const headers of [plain, webhook]) {
      assert.equal(headers?.['x-gateway-timestamp'], timestamp)
      assert.equal(headers['x-gateway-signature'], hmac(`${timestamp}.`, body))
    }
    assert.equal(plain?.['x-webhook-signature-256'], undefined)
    assert.equal(webhook?.['x-webhook-signature-256'], hmac(body))
  })

  test('with a body that is too large is not sent', async () => {
    await using remote = await server((_request, response) => void response.end())
    await using out = outgoing({ maxRequestBytes: 10 })
    await out.send(remote.url, { body: 'x'.repeat(10) })
    await assert.rejects(
      out.send(remote.url, { body: 'é'.repeat(6) }),
      refusal('OUTGOING_FAILED', { reason: 'request_too_large', sent: false }),
    )
    assert.equal(remote.received.length, 1)
  })
})

describe('what a tenant names', () => {
  test('leads to the open internet alone: an address that is closed is refused before a connection is made, in every notation', async () => {
    await using remote = await server((_request, response) => void response.end())
    const { port } = new URL(remote.url)
    await using out = outgoing({}, async () => assert.fail('an address is not looked up'))
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '0.0.0.0', '10.0.0.1']) {
      await assert.rejects(
        out.send(`http://${host}:${port}/`, { reach: 'public' }),
        refusal('OUTGOING_FAILED', { reason: 'address', sent: false }),
        host,
      )
    }
    assert.deepEqual(remote.connections(), { busy: 0, opened: 0 })
  })

  test('is refused when any of the addresses of its name is closed', async () => {
    await using remote = await server((_request, response) => void response.end())
    const { port } = new URL(remote.url)
    await using out = outgoing({}, async () => ['93.184.215.14', '127.0.0.1'])
    await assert.rejects(
      out.send(`http://mixed.example.com:${port}/`, { reach: 'public' }),
      refusal('OUTGOING_FAILED', { reason: 'address' }),
    )
    assert.equal(remote.connections().opened, 0)
  })
})

test('what the operator names may be on this machine, by any name the system knows', async () => {
  await using remote = await server((_request, response) => void response.end('here'))
  await using out = outgoing({}, async () => assert.fail('the system is asked'))
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = remote.url.replace('127.0.0.1', host)
    assert.equal((await out.send(url, { reach: 'operator' })).body.toString(), 'here')
  }
})

describe('a failure says what it was, and whether anything was sent', () => {
  test('nobody listens', async () => {
    await using gone = await server(() => {})
    const { url } = gone
    await gone[Symbol.asyncDispose]()
    await using out = outgoing()
    await assert.rejects(out.send(url), refusal('OUTGOING_FAILED', { reason: 'connect', sent: false, origin: url.slice(0, -1) }))
  })

  test('the connection breaks before the answer, and within it', async () => {
    await using before = await server((request) => request.socket.destroy())
    await using within = await server((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setImmediate(() => response.destroy())
    })
    await using out = outgoing()
    for (const { url } of [before, within]) {
      await assert.rejects(out.send(url), refusal('OUTGOING_FAILED', { reason: 'reset', sent: true }))
    }
    assert.equal(before.received.length, 1, 'nothing is sent twice')
  })

  test('what answers is no HTTP', async () => {
    const raw = createRaw((socket) => void socket.on('error', () => {}).on('data', () => socket.end('SSH-2.0\r\n'))).listen(0, '127.0.0.1')
    await once(raw, 'listening')
    await using out = outgoing()
    const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`
    await assert.rejects(out.send(url), refusal('OUTGOING_FAILED', { reason: 'protocol' }))
    raw.close()
  })

  test('a fault of the one who calls is thrown as it is, and takes no share', async () => {
    await using remote = await server((_request, response) => void response.end())
    await using out = outgoing({ callsPerTenant: 1 })
    await assert.rejects(out.send(remote.url, { headers: { 'bad name': 'x' } }), /invalid/)
    await assert.rejects(out.send('ftp://127.0.0.1/'), /protocol|scheme|Invalid/i)
    assert.equal((await out.send(remote.url)).status, 200)
  })
})

describe('a time limit', () => {
  const phase = (name: string, sent: boolean, afterMs: number) => refusal('OUTGOING_TIMEOUT', { phase: name, sent, afterMs })

  test('holds for the connection, the look-up of the name included', async () => {
    await using out = outgoing({}, () => new Promise(() => {}))
    const slow = out.send('http://slow.example.com/', { reach: 'public', timeouts: { connectMs: 30 } })
    await assert.rejects(slow, phase('connect', false, 30))
  })

  test('holds for the first byte, for a pause within, and for the whole', async () => {
    await using silent = await server(() => {})
    await using stalls = await server((_request, response) => void response.writeHead(200).write('a'))
    await using drips = await server((_request, response) => {
      const timer = setInterval(() => response.write('a'), 5)
      response.on('close', () => clearInterval(timer))
    })
    await using out = outgoing()
    await assert.rejects(out.send(silent.url, { timeouts: { firstByteMs: 30 } }), phase('first_byte', true, 30))
    await assert.rejects(out.send(stalls.url, { timeouts: { idleMs: 30 } }), phase('idle', true, 30))
    await assert.rejects(out.send(drips.url, { timeouts: { totalMs: 60 } }), phase('total', true, 60))
    for (const remote of [silent, stalls, drips]) await until(() => remote.connections().busy === 0)
  })
})

test('a caller that leaves ends the exchange down to the socket, before the answer and within it', async () => {
  const reached: (() => void)[] = []
  await using silent = await server(() => reached.shift()?.())
  await using endless = await server((_request, response) => void response.writeHead(200).write('a'))
  await using out = outgoing()
  const leaving = caller(out.http)
  const arrived = new Promise<void>((resolve) => reached.push(resolve))
  const call = leaving.send(silent.url)
  await arrived
  leaving.gone.abort(new Error('left'))
  await assert.rejects(call, /left/)
  await until(() => silent.connections().busy === 0)

  const reading = caller(out.http)
  const answer = await reading.open(endless.url)
  const read = answer.bytes()
  reading.gone.abort(new Error('left too'))
  await assert.rejects(read, /left too/)
  await until(() => endless.connections().busy === 0)
  await assert.rejects(reading.send(endless.url), /left too/)
})

describe('the size of an answer', () => {
  test('is bounded, whether it is told beforehand or only comes', async () => {
    await using told = await server((_request, response) => void response.end('x'.repeat(1_001)))
    await using comes = await server((_request, response) => {
      for (let i = 0; i < 11; i++) response.write('x'.repeat(100))
      response.end()
    })
    await using out = outgoing()
    for (const { url } of [told, comes]) {
      await assert.rejects(out.send(url, { maxResponseBytes: 1_000 }), refusal('OUTGOING_FAILED', { reason: 'too_large' }))
    }
    assert.equal((await out.send(told.url, { maxResponseBytes: 1_001 })).body.length, 1_001)
  })

  test('is bounded unpacked as well: little that unpacks to much is not unpacked to its end', async () => {
    const bomb = { gzip: gzipSync(Buffer.alloc(50_000_000)), br: brotliCompressSync(Buffer.alloc(5_000_000)) }
    await using remote = await server((request, response) => {
      const encoding = request.headers['x-encoding'] as keyof typeof bomb
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb[encoding])
    })
    await using out = outgoing()
    for (const encoding of ['gzip', 'br'] as const) {
      const sent = out.send(remote.url, { decompress: true, headers: { 'x-encoding': encoding } })
      await assert.rejects(sent, refusal('OUTGOING_FAILED', { reason: 'too_large' }), encoding)
    }
  })

  test('compressed is unpacked when that was asked for, else refused; so is what is broken', async () => {
    const packed = gzipSync('hello '.repeat(10_000))
    await using remote = await server((request, response) => {
      const broken = request.headers['x-broken'] !== undefined
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(broken ? packed.subarray(0, 50) : packed)
    })
    await using out = outgoing()
    const answer = await out.send(remote.url, { decompress: true })
    assert.equal(answer.body.toString(), 'hello '.repeat(10_000))
    assert.equal(remote.received[0]?.headers['accept-encoding'], 'gzip, deflate, br')
    await assert.rejects(out.send(remote.url), refusal('OUTGOING_FAILED', { reason: 'encoding' }))
    assert.equal(remote.received[1]?.headers['accept-encoding'], 'identity')
    const broken = out.send(remote.url, { decompress: true, headers: { 'x-broken': '1' } })
    await assert.rejects(broken, refusal('OUTGOING_FAILED', { reason: 'encoding' }))
  })
})
