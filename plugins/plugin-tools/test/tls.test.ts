import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createPlain } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { authority, type Certificate } from './certificates.ts'
import { json } from './support.ts'

describe('a handler over TLS', () => {
  const trusted = authority()
  const good = trusted.issue({ host: 'localhost' })
  const running: Server[] = []
  let folder: string
  let gateway: ReturnType<typeof fork>
  let calls = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugin-tools-tls-'))
    const file = join(folder, 'authority.pem')
    await writeFile(file, trusted.cert)
    gateway = fork(join(import.meta.dirname, 'tls-gateway.ts'), {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    })
    await once(gateway, 'message')
  })
  after(async () => {
    const ended = once(gateway, 'exit')
    gateway.disconnect()
    await ended
    for (const server of running) server.close()
    await rm(folder, { recursive: true })
  })

  const listening = async (server: Server, scheme = 'https'): Promise<string> => {
    running.push(server.listen(0, 'localhost'))
    await once(server, 'listening')
    return `${scheme}://localhost:${(server.address() as AddressInfo).port}/`
  }
  const answer: Parameters<typeof createPlain>[1] = (request, response) => {
    calls++
    json('hello')(request, response)
  }
  const serving = (certificate: Certificate): Promise<string> => listening(createServer(certificate, answer))
  const call = async (url: string): Promise<unknown> => {
    const answered = once(gateway, 'message')
    gateway.send(url)
    return (await answered)[0]
  }
  const refused = async (url: string, reason: string, says: RegExp): Promise<void> => {
    const before = calls
    const { message, ...rest } = (await call(url)) as { message: string }
    assert.deepEqual(rest, { code: 'HANDLER_FAILED', status: 502, details: { tool: 'shout', reason } })
    assert.match(message, says)
    assert.equal(calls, before, 'the call was not sent')
  }

  test('is called when its authority is one that NODE_EXTRA_CA_CERTS names', async () => {
    assert.deepEqual(await call(await serving(good)), { result: 'hello' })
  })

  test('with a certificate for another host is refused', async () => {
    await refused(await serving(trusted.issue({ host: 'tools.example.com' })), 'name', /its certificate is for another host/)
  })

  test('with a certificate that has expired, or is not valid yet, is refused', async () => {
    const day = (offset: number): Date => new Date(Date.now() + offset * 86_400_000)
    for (const [from, until] of [
      [day(-2), day(-1)],
      [day(1), day(2)],
    ] as const) {
      await refused(await serving(trusted.issue({ host: 'localhost', from, until })), 'expired', /its certificate has expired/)
    }
  })

  test('with a certificate of an authority that nobody trusts is refused', async () => {
    await refused(await serving(authority().issue({ host: 'localhost' })), 'untrusted', /its certificate is of no authority/)
  })

  test('with none, because it speaks no TLS, cannot be reached', async () => {
    const url = await listening(createPlain(answer), 'https')
    await refused(url, 'unreachable', /it cannot be reached/)
  })
})
