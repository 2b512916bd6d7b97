import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { systemClock } from '../../../kernel/core/src/clock.ts'
import { lacksProgram, startServer } from '../../../kernel/storage-mongodb/test/mongodb-server.ts'
import { openSqlite } from '../../../kernel/storage-sqlite/src/index.ts'
import { gateway, runProgram, startService, temporaryFolder } from './cli-fixture.ts'

const put = (url: string, id: string): Promise<Response> =>
  fetch(`${url}/api/tools/put_note`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, text: id }),
  })

test('migrate copies beside the service, finishes only when that has stopped, and a gateway starts only on what is finished', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  const folder = await temporaryFolder(t)
  const to = ['migrate', '--to', `sqlite:${folder}`]
  const service = await startService(t, env)
  for (let i = 0; i < 20; i++) assert.equal((await put(service.url, `n${i}`)).status, 200)

  const copied = await gateway(to, env)
  assert.equal(copied.code, 0, copied.stderr)
  assert.match(copied.stdout, /^pass 1 {2}notes {2}20 read, 20 put right$/m)
  assert.match(copied.stdout, /Stop the service, then run this again with --finish\.\n$/)
  await put(service.url, 'late')
  const early = await gateway([...to, '--finish'], env)
  assert.equal(early.code, 1)
  assert.match(early.stderr, /in use by another gateway \(process/)
  const premature = await runProgram(['start'], { GATEWAY_DATA_DIR: folder })
  assert.equal(premature.code, 1)
  assert.match(premature.stderr, /unfinished copy of sqlite:.*gateway migrate --finish/)

  assert.equal((await service.signal('SIGTERM')).code, 0)
  const finished = await gateway([...to, '--finish'], env)
  assert.equal(finished.code, 0, finished.stderr)
  assert.match(finished.stdout, /^notes +21 +[0-9a-f]{16} +equal$/m)
  const next = `copy audit and keys from ${env.GATEWAY_DATA_DIR} to ${folder}; set GATEWAY_DATA_DIR to ${folder}; start.`
  assert.ok(finished.stdout.endsWith(`All equal. Next: ${next}\n`), finished.stdout)
  const moved = await startService(t, { GATEWAY_DATA_DIR: folder })
  const counted = await gateway(['call', 'count_notes', '--url', moved.url], { ...env, NO_COLOR: '1' })
  assert.match(counted.stdout, /21/)
})

test('data that no plugin declares is named, and stays behind only when that is asked for', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  const strange = defineCollection('strange', { schema: Type.Object({ id: Type.String() }), key: 'id' })
  const store = await openSqlite({ dataDir: env.GATEWAY_DATA_DIR, clock: systemClock, log: { warn() {} } })
  await store.prepare([strange])
  await store.collection<{ id: string }>(strange, 'local').insert({ id: 'a' })
  await store.close()
  const folder = await temporaryFolder(t)
  const refused = await gateway(['migrate', '--to', `sqlite:${folder}`], env)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /No plugin here declares strange\./)
  assert.ok(!existsSync(join(folder, 'store')))
  assert.equal((await gateway(['migrate', '--to', `sqlite:${folder}`, '--leave', 'strange', '--json'], env)).code, 0)
})

test('without a store there is nothing to migrate', async (t) => {
  const nothing = await gateway(['migrate', '--to', `sqlite:${await temporaryFolder(t)}`], { GATEWAY_DATA_DIR: await temporaryFolder(t) })
  assert.deepEqual([nothing.code, nothing.stdout], [1, ''])
  assert.match(nothing.stderr, /has no store yet; check GATEWAY_DATA_DIR, and MONGODB_URL/)
})

const lacking = lacksProgram()
const refusal = 'a MongoDB without transactions is refused as a target, since no gateway would start on it; the password is not shown'
if (lacking !== undefined) test(`${refusal} (${lacking})`, { skip: true })
else
  test(refusal, async (t) => {
    const server = await startServer({ standalone: true })
    t.after(() => server.stop())
    const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
    const service = await startService(t, env)
    await put(service.url, 'a')
    const refused = await gateway(['migrate', '--to', `${server.url}gateway`], env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /runs alone, without transactions.*replica set/s)
    const lost = await gateway(['migrate', '--to', 'mongodb://me:secret@127.0.0.1:1/x?serverSelectionTimeoutMS=300'], env)
    assert.equal(lost.code, 1)
    assert.match(lost.stderr, /cannot be reached/)
    assert.doesNotMatch(lost.stderr, /secret/)
  })
