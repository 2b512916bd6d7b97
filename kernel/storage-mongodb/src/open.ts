import type { Clock } from '@gateway/kernel'
import { MongoClient } from 'mongodb'
import { databaseName } from './address.ts'
import { startFailure } from './errors.ts'
import { ReportedSets } from './reported-sets.ts'
import { checkSchemaVersion } from './schema-version.ts'
import { checkServer } from './server-needs.ts'
import { MongoStore } from './store.ts'

export interface MongoOptions {
  /** `mongodb://…`; the database is in its path, or `gateway`. */
  readonly url: string
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Time that an operation waits for a server; for its answer it waits three times as long. Default 5,000. */
  readonly timeoutMs?: number
  /** Leaves times to the server's clock. Default true. */
  readonly serverTimes?: boolean
  /** Keeps expired documents: a copy has the same documents as its original. Default false. */
  readonly keepExpired?: boolean
}

const TIMEOUT_MS = 5_000
/** Interval of the driver's check of the server, and so the delay until one that returns is found. */
const LOOK_EVERY_MS = 1_000

/**
 * Writes are acknowledged by a majority that has them in its journal, and reads see what a majority has, so acknowledged data
 * survives the loss of a node. Throws, with nothing left open, if the server cannot promise that.
 */
export async function openMongo(options: MongoOptions): Promise<MongoStore> {
  const { url, clock, log, serverTimes = true, timeoutMs = TIMEOUT_MS } = options
  const client = connectionTo(url, timeoutMs)
  const hosts = client.options.hosts.map(String).join(', ') || client.options.srvHost || 'the address'
  const sets = new ReportedSets(client)
  try {
    await client.connect()
    sets.stop()
    const db = client.db(databaseName(url))
    await checkServer(client, db)
    await checkSchemaVersion(db)
    const { version } = await db.admin().command({ buildInfo: 1 })
    return new MongoStore({
      client,
      db,
      version: String(version),
      clock,
      log,
      serverTimes,
      keepExpired: options.keepExpired ?? false,
      answerLimitMs: 3 * timeoutMs,
      async patiently(work) {
        const patient = connectionTo(url, timeoutMs, 0)
        try {
          return await work(patient.db(databaseName(url)))
        } finally {
          await patient.close()
        }
      },
    })
  } catch (error) {
    await client.close()
    throw startFailure(error, hosts, sets.advice)
  }
}

/** Options under the names that an address uses for them: the driver takes one of the address where it is missing here. */
const DURABLE = { w: 'majority', journal: true, readConcernLevel: 'majority' } as const

/**
 * `socketTimeoutMS` is the time that a command waits for its answer: a lost answer must not hold its connection. 0 means forever.
 */
export function connectionTo(url: string, timeoutMs = TIMEOUT_MS, socketTimeoutMS = 2 * timeoutMs): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'gateway',
      ...DURABLE,
      // The name before `journal`; the driver warns of it where it is used.
      ...(namedIn(url).has('j') && { j: true }),
      readPreference: 'primary',
      ...unlessNamed(url, {
        // Retries do not change how durable an acknowledged write is: without them a write that meets an election fails instead of being sent again.
        retryWrites: true,
        retryReads: true,
        serverSelectionTimeoutMS: timeoutMs,
        // A server that accepts connections but does not answer is given up by the driver's own check within this time.
        connectTimeoutMS: timeoutMs,
        heartbeatFrequencyMS: LOOK_EVERY_MS,
        socketTimeoutMS,
      }),
    })
  } catch (error) {
    throw new Error(`MONGODB_URL must be an address of MongoDB: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Options in the address take precedence over the settings. */
function unlessNamed<Options extends object>(url: string, options: Options): Partial<Options> {
  const named = namedIn(url)
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.has(name.toLowerCase()))) as Partial<Options>
}

/** Names of the options in the address, in lower case, since the driver accepts either case. */
function namedIn(url: string): ReadonlySet<string> {
  return new Set([...url.matchAll(/[?&]([^=&]+)=/g)].map(([, name]) => (name as string).toLowerCase()))
}
