import { randomUUID } from 'node:crypto'
import { type Db, type MongoClient, MongoServerError } from 'mongodb'

/** Prefix of the collections of a trial, which nobody else uses. */
export const TRIAL = 'gateway.trial.'

/** The server answered, and did something else. */
class Failed extends Error {}

interface Need {
  readonly name: string
  try(db: Db, trial: string, client: MongoClient): Promise<unknown>
}

/** Abilities of a server that the adapter depends on, in the order in which they are tried on one collection. */
const NEEDS: readonly Need[] = [
  {
    name: 'unique indexes of a part of the documents',
    try: (db, trial) => {
      const partialFilterExpression = { 'd.name': { $exists: true } }
      return db.collection(trial).createIndex({ t: 1, 'd.name': 1 }, { unique: true, partialFilterExpression })
    },
  },
  { name: 'indexes of the elements of a list', try: (db, trial) => db.collection(trial).createIndex({ t: 1, w: 1 }) },
  {
    name: 'updates with the time of the server ($$NOW)',
    try: async (db, trial) => {
      const clock = [{ $set: { at: { $dateToString: { date: '$$NOW', format: '%Y-%m-%dT%H:%M:%S.%LZ' } } } }]
      const after = await db.collection(trial).findOneAndUpdate({ t: '' }, clock, { upsert: true, returnDocument: 'after' })
      if (typeof after?.at !== 'string') throw new Failed('the time was not set')
    },
  },
  {
    name: 'transactions',
    try: (db, trial, client) =>
      client.withSession(async (session) => {
        session.startTransaction()
        await db.collection(trial).insertOne({ t: 'undone' }, { session })
        await session.abortTransaction()
        if ((await db.collection(trial).findOne({ t: 'undone' })) !== null) throw new Failed('an aborted one left its documents')
      }),
  },
]

/** Every single write is refused, which says nothing about what it asks for. */
const NO_RETRIES =
  'it does not support retryable writes. Add retryWrites=false to the address in MONGODB_URL, as in mongodb://…/gateway?retryWrites=false'

/** Tries what the adapter needs on a collection of its own, which it removes, and throws with the name of all that is missing. */
export async function checkServer(client: MongoClient, db: Db): Promise<void> {
  const hello = await db.command({ hello: 1 })
  if (typeof hello.setName !== 'string' && hello.msg !== 'isdbgrid')
    throw new Error(
      `it runs alone, without transactions: several changes could not be made as one, and an acknowledged write could be lost with its disk. ` +
        `Start it as a replica set (one member is enough: mongod --replSet rs0, then rs.initiate())`,
    )
  const trial = TRIAL + randomUUID().slice(0, 8)
  const missing: string[] = []
  try {
    await db.createCollection(trial)
    for (const need of NEEDS) {
      await need.try(db, trial, client).catch((error: unknown) => {
        // A lost connection says nothing about the server's abilities.
        if (!(error instanceof MongoServerError || error instanceof Failed)) throw error
        if (/retryable writes/i.test(error.message)) throw new Error(NO_RETRIES, { cause: error })
        missing.push(`${need.name} (${error.message})`)
      })
    }
  } finally {
    await db.dropCollection(trial)
  }
  if (missing.length > 0) throw new Error(`it lacks what the gateway needs: ${missing.join('; ')}`)
}
