import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded, upTo } from '../crash/powercut/random.ts'
import { workOnce } from '../retries/lost-answers.ts'
import { database, dropServer, Node, skip } from './nodes.ts'
import { storeProxy } from './store-proxy.ts'

// Callers repeat their calls, with keys, at three gateways on one database. Gateways are killed and paused, and a proxy between each
// of them and the store delays and cuts its conversations. NODE_CALLS sets the number of calls, NODE_SEED repeats the choices (not
// the interleaving).
const CALLS = Number(process.env.NODE_CALLS ?? 120)
const seed = Number(process.env.NODE_SEED ?? Date.now() % 1_000_000)
const LONGEST_PAUSE_MS = 3_000
const UNLIMITED = { GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0' }

after(dropServer)

test(`three gateways, killed, paused and badly connected: each of ${CALLS} calls with a key takes effect once, and no task is claimed twice${
  skip ? ` (${skip})` : ''
}`, { skip: skip !== false, timeout: 300_000 + CALLS * 200 }, async () => {
  const random = seeded(seed)
  const url = database()
  const proxies = await Promise.all(Array.from({ length: 3 }, () => storeProxy(url, random)))
  const places = proxies.map((proxy) => ({ proxy, node: new Node(proxy.url, UNLIMITED) }))
  const any = () => places[upTo(random, places.length)] as (typeof places)[0]
  let isDone = false
  let kills = 0
  let pauses = 0
  async function disturb(): Promise<void> {
    while (!isDone || kills === 0 || pauses === 0) {
      await sleep(upTo(random, 1_000))
      const { node, proxy } = any()
      if (random() < 0.3) {
        await node.kill()
        kills++
        proxy.disturbs = false
        await node.start()
        proxy.disturbs = true
      } else {
        pauses++
        await node.pause(upTo(random, LONGEST_PAUSE_MS))
      }
    }
  }
  try {
    for (const { node } of places) await node.start()
    for (const { proxy } of places) proxy.disturbs = true
    const disturbance = disturb()
    await workOnce(
      CALLS,
      () => any().node.url,
      async () => {
        isDone = true
        await disturbance
        return any().node.url
      },
    )
    const dropped = proxies.reduce((sum, proxy) => sum + proxy.dropped, 0)
    console.log(`${CALLS} calls, ${kills} kills, ${pauses} pauses, ${dropped} cut connections; NODE_SEED=${seed}`)
    assert.ok(dropped > 0)
  } finally {
    isDone = true
    await Promise.all(places.map(({ node }) => node.dispose()))
    for (const proxy of proxies) proxy.close()
  }
})
