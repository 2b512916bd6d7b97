import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { storageSuite, testClock } from '@gateway/testing'
import { silent } from '../../storage/test/subject.ts'
import { openMongo } from '../src/index.ts'
import { lacksProgram, lacksServer, mongoServer, startServer } from './mongodb-server.ts'
import { mongoSubject } from './mongodb-subject.ts'

const lacking = lacksServer()
if (lacking !== undefined) test(`the store in MongoDB (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  storageSuite('the store in MongoDB', async ({ clock }) => mongoSubject((await server).url, { clock }), { effort: 0.02 })
}

const lackingOwn = lacksProgram()
test(`a server without transactions is refused, and told why and what to do${lackingOwn === undefined ? '' : ` (${lackingOwn})`}`, {
  skip: lackingOwn !== undefined,
}, async (t) => {
  const { url, stop } = await startServer({ standalone: true })
  t.after(stop)
  await assert.rejects(openMongo({ url, clock: testClock(), log: silent }), /runs alone, without transactions.*replica set/s)
})

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
      /MONGODB_URL must be an address of MongoDB/,
    )
  })
})
