import type { StoreFinding, StoreKind } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { placeOf } from './address.ts'

/** A MongoDB, which several gateways may share. The driver is loaded when it is used. */
export const mongodbKind: StoreKind = {
  name: 'mongodb',
  title: 'MongoDB',
  form: 'mongodb://…',
  variable: 'MONGODB_URL',
  isEmbedded: false,
  place: (settings) => placeOf(urlOf(settings)),
  isChosen: ({ mongodbUrl }) => mongodbUrl !== undefined,
  at: (address, settings) => (/^mongodb(\+srv)?:\/\//.test(address) ? { ...settings, mongodbUrl: address } : undefined),
  async open({ settings, clock, log, isCopy = false }) {
    const { openMongo } = await import('./open.ts')
    const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
    const timeoutMs = settings.mongodbTimeoutMs
    return openMongo({ url: urlOf(settings), clock, log: warnings, timeoutMs, keepExpired: isCopy })
  },
  rows: async (settings) => (await import('./rows.ts')).mongoRows(urlOf(settings), settings.mongodbTimeoutMs),
  check: async (settings) => [await answers(settings)],
  // A dump of a database that is written to has a single state only with its oplog.
  backup: { dumpTool: 'mongodump --oplog', restoreTool: 'mongorestore --oplogReplay' },
}

const urlOf = ({ mongodbUrl }: Settings): string => mongodbUrl as string

async function answers(settings: Settings): Promise<StoreFinding> {
  const [{ MongoClient }, { ReportedSets }] = await Promise.all([import('mongodb'), import('./reported-sets.ts')])
  let client: InstanceType<typeof MongoClient> | undefined
  let sets: InstanceType<typeof ReportedSets> | undefined
  try {
    client = new MongoClient(urlOf(settings), { serverSelectionTimeoutMS: settings.mongodbTimeoutMs })
    sets = new ReportedSets(client)
    await client.db().command({ ping: 1 })
  } catch (error) {
    await client?.close()
    const detail = `the MongoDB of MONGODB_URL does not answer: ${(error as Error).message}${sets?.advice ?? ''}`
    return { outcome: 'fail', detail, fix: 'Start it, or correct MONGODB_URL.' }
  }
  try {
    await (await import('./server-needs.ts')).checkServer(client, client.db())
    return { outcome: 'ok', detail: 'the MongoDB of MONGODB_URL answers and has what a gateway needs; what is in it, ask its own tools' }
  } catch (error) {
    const detail = `the MongoDB of MONGODB_URL cannot hold the store of a gateway: ${(error as Error).message}`
    return { outcome: 'fail', detail, fix: 'Change the server as it says, or name another one in MONGODB_URL.' }
  } finally {
    await client.close()
  }
}
