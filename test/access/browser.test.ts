import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { chromium } from 'playwright-core'
import { needing, program } from '../support/programs.ts'

const LOCAL = 'the-local-token-of-the-tests'

let rung = 0
const bell = definePlugin({
  id: 'bell',
  sdk: '^1.0.0',
  description: 'Counts who rings.',
  tools: [
    defineTool({
      name: 'bell_ring',
      description: 'Ring the bell.',
      capability: 'read',
      effect: 'read',
      rest: 'GET /api/bell',
      input: Type.Object({}, closed),
      output: Type.Object({ rung: Type.Integer() }, closed),
      handle: async () => ({ rung: ++rung }),
    }),
  ],
})

/** A page server, like any program on this machine may run. */
async function pageServer(): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>a page</title>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const { name, skip } = needing('chromium', 'in a browser the gateway’s own page is local; another’s is not, on this machine either')
test(name, { skip, timeout: 120_000 }, async () => {
  await using stranger = await pageServer()
  await using friend = await pageServer()
  const env = { GATEWAY_LOCAL_TOKEN: LOCAL, GATEWAY_ALLOWED_ORIGINS: friend.origin }
  await using gateway = await startTestGateway({ plugins: [bell], listen: true, env })
  const browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    /** Result that a script of the open page gets from the bell: a status, `opaque`, or `blocked`. */
    const ring = (options: RequestInit = {}, base = gateway.url): Promise<number | string> =>
      page.evaluate(
        ([url, init]) =>
          fetch(url, init).then(
            (response) => (response.type === 'opaque' ? 'opaque' : response.status),
            () => 'blocked',
          ),
        [`${base}/api/bell`, options] as const,
      )
    const bearer = { headers: { authorization: `Bearer ${LOCAL}` } }
    const byAnotherName = gateway.url.replace('127.0.0.1', 'localhost')

    await page.goto(stranger.origin)
    for (const base of [gateway.url, byAnotherName]) {
      assert.equal(await ring({}, base), 'blocked')
      assert.equal(await ring({ mode: 'no-cors' }, base), 'opaque')
      assert.equal(await ring(bearer, base), 'blocked')
    }
    assert.equal(rung, 0, 'not even unread')

    await page.goto(friend.origin)
    assert.equal(await ring(), 401, 'an allowed page may read its refusal')
    assert.equal(await ring(bearer), 200)

    await page.goto(`${gateway.url}/health`)
    assert.equal(await ring(), 200)
    assert.equal(rung, 2)
  } finally {
    await browser.close()
  }
})
