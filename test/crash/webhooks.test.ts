import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { warmGateway } from './gateway/spawn.ts'

const KILLS = 4
const CALLERS = 6

/** A receiver that takes some deliveries, refuses some and lets some hang, as a busy one does. */
async function receiver() {
  const taken = new Set<string>()
  let well = false
  let count = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      if (!well && ++count % 7 === 0) return void response.writeHead(503).end()
      const { title } = (JSON.parse(body) as { data: { title: string } }).data
      taken.add(title)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    taken,
    recover: () => void (well = true),
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const send = async (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test(`the event of every acknowledged change is delivered, though the gateway is killed ${KILLS} times`, { timeout: 240_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-webhooks-'))
  using hook = await receiver()
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
    const made = await send(`${gateway.url}/api/webhooks`, { url: hook.url, events: ['tasks.created'] })
    assert.equal(made.status, 201, await made.text())
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
    hook.recover()
    const missing = () => [...acknowledged].filter((title) => !hook.taken.has(title))
    for (const until = Date.now() + 150_000; missing().length > 0 && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(missing(), [])
    assert.ok(acknowledged.size >= 40 * KILLS)
    assert.deepEqual(
      [...hook.taken].filter((title) => !asked.has(title)),
      [],
      'nothing is told that nobody did',
    )
  } finally {
    await Promise.all([gateway.kill(), next.kill()])
    rmSync(dataDir, { recursive: true, force: true })
  }
})
