import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { storageSuite, testClock } from '@gateway/testing'
import { silent } from '../../storage/test/subject.ts'
import { openMongo } from '../src/index.ts'
import { buildFerretdb, type Server, startFerretdb } from './ferretdb.ts'
import { realMongodb } from './mongodb-server.ts'
import { mongoSubject } from './mongodb-subject.ts'

if (realMongodb) {
  const url = realMongodb
  storageSuite('the store in MongoDB', ({ clock }) => mongoSubject(url, { clock }), {})
} else test('the store in MongoDB (needs a replica set, named by MONGODB_URL)', { skip: true })

const noTransactions = 'FerretDB has no transactions'
const noText = 'FerretDB has no text index'
const noPartial = 'FerretDB has no partial index'
const grouping = 'FerretDB groups by one field only'
const exceptions = {
  'members inside a member may have any name': 'FerretDB refuses dots and dollars in names',
  'a unique index holds among the documents that have the field': noPartial,
  'a unique index of an optional field holds among the documents that have it': noPartial,
  'an array has an element when type and value are the same; what is no array has none': 'FerretDB has no arrays in arrays',
  'updateMany and deleteMany say how many, and are whole or nothing': noTransactions,
  'documents expire after their time, and no others': noText,
  'group counts and adds up per key; null and absent are one key': grouping,
  'every group, sum and distinct value adds up': grouping,
  'documents with all the words come; where there is none, those with any': noText,
  'a greater score is nearer, and every score is positive': noText,
  'what the user types is words and never a query language': noText,
  'letters of any script are words; accents do not matter': noText,
  'a filter and a limit hold for the hits': noText,
  'the text follows the document': noText,
  'of prepared text any of the words find, the rarer the nearer': noText,
  'prepared words are taken as they are: none stands for another, and none is an operator': noText,
  'a field of prepared text counts with its weight': noText,
  'a word that every hit must have is answered by the index, beside any other condition': noText,
  'prepared text is its tenant’s, and follows the document': noText,
  'no method reaches another tenant’s documents': noText,
  'tenants whose names differ by anything are two': noText,
  'a tenant’s documents are counted and removed over all collections, in batches, and no other’s': noText,
  'all changes happen, in every collection, or none': noTransactions,
  'a transaction sees its own changes, and nobody else does before it ends': noTransactions,
  'the failure of one writer is not the failure of those beside it': noTransactions,
  'transactions do not see each other half done, nor do readers': noTransactions,
  'every run of operations, alone or in transactions, leaves what it should': noTransactions,
  'what was acknowledged is there after closing and opening again': noText,
  'indexes and text fields may be added later, and see what is there already; those no longer declared are reported': noText,
  'an index that cannot become unique keeps the store from opening, and the message says why and what to do':
    'FerretDB does not say what kept it from making an index',
}

const ferretdb = buildFerretdb()
if ('binary' in ferretdb) {
  let server: Promise<Server> | undefined
  const started = (): Promise<Server> => (server ??= startFerretdb(ferretdb.binary))
  after(async () => (await server)?.stop())
  storageSuite(
    'the MongoDB adapter on FerretDB',
    async ({ clock }) => mongoSubject((await started()).url, { clock, withoutTransactions: true }),
    { exceptions, effort: 0.03 },
  )

  describe('opening a server', () => {
    test('without transactions it is refused, and told why and what to do', async () => {
      const { url } = await started()
      await assert.rejects(openMongo({ url, clock: testClock(), log: silent }), /runs alone, without transactions.*replica set/s)
    })
  })
} else test(`the MongoDB adapter on FerretDB (${ferretdb.reason})`, { skip: true })

describe('an address that leads nowhere', () => {
  test('an unreachable server is named, without the password', async () => {
    const url = 'mongodb://someone:secret@127.0.0.1:1/gateway?serverSelectionTimeoutMS=300'
    await assert.rejects(openMongo({ url, clock: testClock(), log: silent }), (error: Error) => {
      assert.match(error.message, /127\.0\.0\.1:1.*MONGODB_URL.*cannot be reached/s)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })

  test('what is no address is refused by its setting’s name', async () => {
    await assert.rejects(
      openMongo({ url: 'http://example.com', clock: testClock(), log: silent }),
      /MONGODB_URL is not an address of MongoDB/,
    )
  })
})
