import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSettings } from '@gateway/settings'
import { testClock } from '@gateway/testing'
import { MongoClient } from 'mongodb'
import { mongodbKind } from '../src/kind.ts'
import { openMongo } from '../src/open.ts'
import { mongoRows } from '../src/rows.ts'
import { lacksProgram, startServer } from './mongodb-server.ts'

const lacking = lacksProgram()
const finding = async (url: string) => {
  const env = { MONGODB_URL: `${url}${url.includes('?') ? '&' : '?'}serverSelectionTimeoutMS=${url.includes('wrong') ? 3000 : 300}` }
  const [found] = await mongodbKind.check(loadSettings({ env, cwd: '/' }), [])
  return found
}

test(`the doctor tries at the MongoDB what the gateway needs, and says what is missing${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
}, async () => {
  for (const [standalone, outcome, says] of [
    [true, 'fail', /cannot hold the store of a gateway: it runs alone, without transactions.*replica set/s],
    [false, 'ok', /has what a gateway needs/],
  ] as const) {
    const { url, stop } = await startServer({ standalone })
    try {
      const found = await finding(url)
      assert.equal(found?.outcome, outcome)
      assert.match(found?.detail ?? '', says)
    } finally {
      await stop()
    }
  }
})

test(`what a killed trial of the server left is no data of a gateway${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
}, async (t) => {
  const { url, stop } = await startServer()
  t.after(stop)
  const client = new MongoClient(url)
  await client.db().collection('gateway.trial.0a1b2c3d').insertOne({ t: 'undone' })
  await client.close()
  const rows = await mongoRows(url)
  assert.deepEqual(await rows.collections(), [])
  await rows.close()
})

const misnamed = 'a wrong name of the replica set is said with the name that the server reports'
test(`${misnamed}${lacking === undefined ? '' : ` (${lacking})`}`, { skip: lacking !== undefined }, async (t) => {
  const server = await startServer()
  t.after(() => server.stop())
  const url = `${server.url}notes?replicaSet=wrong`
  const says = /of the replica set \w+: MONGODB_URL names wrong; correct its `replicaSet`\.$/
  await assert.rejects(openMongo({ url, timeoutMs: 3_000, clock: testClock(), log: { warn() {} } }), says)
  await assert.rejects(mongoRows(url, 3_000), says)
  assert.match((await finding(url))?.detail ?? '', says)
})

test('the doctor says that no MongoDB answers', async () => {
  const found = await finding('mongodb://127.0.0.1:1/gateway')
  assert.deepEqual([found?.outcome, /does not answer/.test(found?.detail ?? '')], ['fail', true])
})
