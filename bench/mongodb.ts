import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { standardPlugins } from '@gateway/standard'
import { MongoClient } from 'mongodb'
import { systemClock } from '../kernel/core/src/clock.ts'
import { openMongo } from '../kernel/storage-mongodb/src/index.ts'
import { lacksProgram, type MongoProcess, serve } from '../kernel/storage-mongodb/test/mongodb-server.ts'
import { freePort } from '../test/support/ports.ts'
import { claimSteps, QUEUE } from './claims.ts'
import type { Figures } from './load.ts'
import { medians, quantile, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, type Server, startGateway } from './processes.ts'
import { seededTask } from './seeded-task.ts'

const CONNECTIONS = 64
/** Claims of a turn; the queue holds more, so that no loop finds it empty. */
const BATCH = 256
const PENDING = 300
const WARM_UP = 1
const TURNS = 3

interface ServedClaims extends Figures {
  /** Milliseconds of CPU for a claim. */
  readonly gatewayCpu: number
  readonly serverCpu: number
}

export interface MongoFigures {
  readonly gateway: ServedClaims
  readonly bareWrites: Figures
  /** Rate of the gateway, relative to the bare writes in the turn beside it. */
  readonly ratio: Spread
}

/** Measures claims on MongoDB, in turn with writes of the driver alone; undefined where no server is installed. */
export async function measureMongo({ rounds, folder }: Pick<Plan, 'rounds' | 'folder'>): Promise<MongoFigures | undefined> {
  if (lacksProgram() !== undefined) return undefined
  const server = await serve(await freePort(), folder(), ['--cache-size', '256M'])
  const client = await MongoClient.connect(server.url, { maxPoolSize: 100 })
  const url = `${server.url}gateway`
  const gateway = await startGateway(folder(), { settings: { MONGODB_URL: url, GATEWAY_MONGODB_TIMEOUT_MS: '60000' } })
  const seeder = await openSeeder(url)
  try {
    const bare = await BareDocuments.open(client)
    await seeder.insert(PENDING)
    for (let turn = 0; turn < WARM_UP; turn++) await servedClaims(gateway, server, seeder)
    await bare.writes()
    const served: ServedClaims[] = []
    const writes: Figures[] = []
    for (let turn = 0; turn < rounds * TURNS; turn += 1) {
      served.push(await servedClaims(gateway, server, seeder))
      writes.push(await bare.writes())
    }
    const ratios = served.map(({ perSecond }, n) => perSecond / (writes[n]?.perSecond ?? Number.NaN))
    return { gateway: medians(served), bareWrites: medians(writes), ratio: spread(ratios) }
  } finally {
    await seeder.close()
    await gateway.stop()
    await client.close()
    await server.stop()
  }
}

interface Seeder {
  insert(count: number): Promise<void>
  close(): Promise<void>
}

/** Fills the gateway's queue beside it: its own bulk calls would be the slowest part of the run. */
async function openSeeder(url: string): Promise<Seeder> {
  const store = await openMongo({ url, clock: systemClock, log: { warn: console.error }, timeoutMs: 60_000 })
  const collections = standardPlugins.flatMap((plugin) => plugin.collections)
  await store.prepare(collections)
  const tasks = collections.find((collection) => collection.id === 'tasks')
  if (tasks === undefined) throw new Error('the tasks plugin has no collection named tasks')
  const queue = store.collection(tasks, 'local')
  let next = 0
  return {
    async insert(count) {
      const from = next
      next += count
      await queue.insertMany(Array.from({ length: count }, (_, n) => seededTask(QUEUE, from + n)))
    },
    close: () => store.close(),
  }
}

async function servedClaims(gateway: Server, server: MongoProcess, seeder: Seeder): Promise<ServedClaims> {
  const [claim] = claimSteps(1, 'claims')
  if (claim === undefined) throw new Error('a claim has a step')
  const before = { gateway: gateway.cpu(), server: processCpuMs(server.pid) }
  const { claims } = await load({ port: gateway.port, connections: CONNECTIONS, steps: [{ ...claim, count: BATCH }] })
  if (claims === undefined) throw new Error('no claim was measured')
  const gatewayCpu = (gateway.cpu() - before.gateway) / BATCH
  const serverCpu = (processCpuMs(server.pid) - before.server) / BATCH
  await seeder.insert(BATCH)
  return { ...claims, gatewayCpu, serverCpu }
}

const HERTZ = 100

/** CPU time of all threads of a process; Linux counts it in hundredths of a second. */
function processCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / HERTZ
}

interface Item {
  _id: number
  n: number
}

/** Documents that the driver alone changes by their id, each a different one: no claim can cost less. */
class BareDocuments {
  readonly #items

  private constructor(client: MongoClient) {
    const writeConcern = { w: 'majority', journal: true } as const
    this.#items = client.db('bare').collection<Item>('items', { readConcern: { level: 'majority' }, writeConcern })
  }

  static async open(client: MongoClient): Promise<BareDocuments> {
    const documents = new BareDocuments(client)
    await documents.#items.insertMany(Array.from({ length: BATCH }, (_, n) => ({ _id: n, n: 0 })))
    return documents
  }

  writes(): Promise<Figures> {
    return inParallel(async (n) => void (await this.#items.updateOne({ _id: n }, { $inc: { n: 1 } })))
  }
}

async function inParallel(one: (n: number) => Promise<void>): Promise<Figures> {
  const latencies: number[] = []
  let next = 0
  const began = performance.now()
  const loop = async (): Promise<void> => {
    for (let n = next++; n < BATCH; n = next++) {
      const asked = performance.now()
      await one(n)
      latencies.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  const perSecond = (latencies.length * 1_000) / (performance.now() - began)
  // Writes to the log settle before the next measurement.
  await sleep(50)
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

export function mongoMarkdown(figures: MongoFigures | undefined): string {
  const title = `## Claims on MongoDB, ${CONNECTIONS} connections`
  if (figures === undefined) return [title, '', 'Not measured: no server was installed.'].join('\n')
  const { gateway, bareWrites, ratio } = figures
  const row = (name: string, { perSecond, p50, p99 }: Figures): string =>
    `| ${name} | ${Math.round(perSecond)} | ${Math.round(p50)} | ${Math.round(p99)} |`
  return [
    title,
    '',
    'The server of the tests, in turn with a loop of the driver alone, which changes documents by their id that nobody else changes. Both wait',
    'for a majority and its journal.',
    '',
    '| what | per second | p50 ms | p99 ms |',
    '| --- | --: | --: | --: |',
    row('`tasks_claim` of the gateway over REST', gateway),
    row('writes of the driver alone', bareWrites),
    '',
    `Claims / writes, turn by turn: ${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}). A claim costs the gateway ${gateway.gatewayCpu.toFixed(1)} ms of CPU and`,
    `the server ${gateway.serverCpu.toFixed(1)} ms, so the server is the limit.`,
  ].join('\n')
}
