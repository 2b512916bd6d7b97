import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@gateway/sdk'
import { endTransactions } from '../../kernel/storage-mongodb/test/mongodb-server.ts'
import { type Random, upTo } from '../crash/powercut/random.ts'
import { Node } from './nodes.ts'
import { type StoreProxy, storeProxy } from './store-proxy.ts'

const LONGEST_PAUSE_MS = 1_000
/** Calls between two kills: a start costs as much as hundreds of calls. */
const CALLS_PER_KILL = 400

interface Place {
  readonly proxy: StoreProxy
  readonly node: Node
}

/**
 * Gateways on one database that are killed and paused, whose clocks step by an hour back and forth, and each of which reaches the
 * store through a proxy that delays and cuts its conversations.
 */
export class DisturbedNodes {
  readonly #server: string
  readonly #places: readonly Place[]
  readonly #random: Random
  #isOver = false
  #disturbing: Promise<void> | undefined
  kills = 0
  pauses = 0

  private constructor(server: string, places: readonly Place[], random: Random) {
    this.#server = server
    this.#places = places
    this.#random = random
  }

  static async start(url: string, count: number, random: Random): Promise<DisturbedNodes> {
    const proxies = await Promise.all(Array.from({ length: count }, () => storeProxy(url, random)))
    const settings = { GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0', CLOCK_STEP_MS: String(HOUR_MS) }
    const nodes = new DisturbedNodes(
      url,
      proxies.map((proxy) => ({ proxy, node: new Node(proxy.url, settings, 'disturbed-node.ts') })),
      random,
    )
    try {
      for (const { node } of nodes.#places) await node.start()
      return nodes
    } catch (error) {
      await nodes.dispose()
      throw error
    }
  }

  /** Address of any of the gateways that run. */
  get url(): string {
    const running = this.#places.filter(({ node }) => node.isRunning)
    return (running[upTo(this.#random, running.length)] as Place).node.url
  }

  get cuts(): number {
    return this.#places.reduce((sum, { proxy }) => sum + proxy.dropped, 0)
  }

  /** `calls` returns the number of calls so far, where somebody counts them. */
  disturb(calls = (): number => Number.POSITIVE_INFINITY): void {
    for (const { proxy } of this.#places) proxy.disturbs = true
    this.#disturbing = this.#goOn(calls)
  }

  /** Ends the disturbance, once there was at least one kill, one pause and one cut. */
  async calm(): Promise<void> {
    this.#isOver = true
    await this.#disturbing
    for (const { proxy } of this.#places) proxy.disturbs = false
  }

  async dispose(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#places.map(({ node }) => node.dispose()))
    for (const { proxy } of this.#places) proxy.close()
  }

  async #goOn(calls: () => number): Promise<void> {
    let nextKill = 0
    while (!this.#isOver || this.kills === 0 || this.pauses === 0) {
      await sleep(upTo(this.#random, 1_000))
      if ((this.#isOver || calls() >= nextKill) && this.#random() < 0.3) {
        await this.#kill(this.#any())
        nextKill = calls() + CALLS_PER_KILL
      } else {
        this.pauses++
        await this.#any().node.pause(upTo(this.#random, LONGEST_PAUSE_MS))
      }
    }
  }

  async #kill({ node, proxy }: Place): Promise<void> {
    await node.kill()
    this.kills++
    // Its open transactions would keep their documents from everyone else for a minute.
    await endTransactions(this.#server)
    // A gateway that starts needs a thousand commands, and would never get them all through.
    proxy.disturbs = false
    await node.start()
    proxy.disturbs = !this.#isOver
  }

  #any(): Place {
    return this.#places[upTo(this.#random, this.#places.length)] as Place
  }
}
