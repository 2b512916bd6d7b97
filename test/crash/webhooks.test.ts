import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { warmGateway } from './gateway/spawn.ts'

const KILLS = 4
const CALLERS = 6

/** Faults of receivers, by name. */
const ILLS = {
  hangs: () => {},
  redirects: (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  resets: (request) => request.socket.resetAndDestroy(),
  'answers 500': (_request, response) => response.writeHead(500).end(),
} as const satisfies Readonly<Record<string, RequestListener>>

/** A receiver that fails at its second request and every fifth after it, until it recovers. */
async function receiver(ill: keyof typeof ILLS) {
  const taken = new Set<string>()
  /** Maps each notified event to the ids that came with it, accepted or not. */
  const ids = new Map<string, Set<string>>()
  const strayed: string[] = []
  let well = false
  let count = 0
  const server = createServer((request, response) => {
    if (request.url !== '/') strayed.push(request.url ?? '')
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { title } = (JSON.parse(body) as { data: { title: string } }).data
      ids.set(title, (ids.get(title) ?? new Set()).add(String(request.headers['x-webhook-delivery'])))
      if (!well && ++count % 5 === 2) return ILLS[ill](request, response)
      taken.add(title)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    taken,
    ids,
    strayed,
    wasIll: () => count >= 2,
    recover: () => void (well = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const send = async (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const title = `the event of every acknowledged change is delivered under one id to receivers that hang, redirect, reset and answer 500, though the gateway is killed ${KILLS} times`
test(title, { timeout: 300_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-webhooks-'))
  const hooks: Awaited<ReturnType<typeof receiver>>[] = []
  for (const ill of Object.keys(ILLS) as (keyof typeof ILLS)[]) hooks.push(await receiver(ill))
  const acknowledged = new Set<string>()
  const asked = new Set<string>()
  let next = warmGateway()
  const begin = async () => {
    const spare = next
    next = warmGateway()
    return spare.start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  }
  let gateway = await begin()
  try {
    for (const { url } of hooks) {
      const made = await send(`${gateway.url}/api/webhooks`, { url, events: ['tasks.created'] })
      assert.equal(made.status, 201, await made.text())
    }
    for (let round = 0; round < KILLS; round++) {
      let left = 40 + 30 * round
      const work = async (caller: number): Promise<void> => {
        for (let n = 0; left > 0; n++) {
          const title = `${round}-${caller}-${n}`
          asked.add(title)
          try {
            const answer = await send(`${gateway.url}/api/tools/tasks_create`, { repo: 'web', title })
            if (!answer.ok) return
            acknowledged.add(title)
          } catch {
            return
          }
          if (--left === 0) await gateway.kill()
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, (_, caller) => work(caller)))
      await gateway.exited
      gateway = await begin()
    }
    while (!hooks.every(({ wasIll }) => wasIll())) await new Promise((resolve) => setTimeout(resolve, 50))
    for (const hook of hooks) hook.recover()
    const missing = () => hooks.flatMap(({ taken }) => [...acknowledged].filter((title) => !taken.has(title)))
    for (const until = Date.now() + 200_000; missing().length > 0 && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(missing(), [])
    assert.ok(acknowledged.size >= 40 * KILLS)
    for (const { taken, ids, strayed } of hooks) {
      assert.deepEqual(
        [...taken].filter((title) => !asked.has(title)),
        [],
        'nothing is told that nobody did',
      )
      assert.deepEqual(
        [...ids].filter(([, of]) => of.size !== 1),
        [],
        'what comes again has the id it had',
      )
      assert.deepEqual(strayed, [], 'no redirect is followed')
    }
  } finally {
    await Promise.all([gateway.kill(), next.kill()])
    for (const hook of hooks) hook.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
