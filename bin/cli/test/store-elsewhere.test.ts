import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { markStore } from '@gateway/defaults/stores'
import { loadSettings } from '@gateway/settings'
import { startTestGateway } from '@gateway/testing'
import { lacksProgram, startServer } from '../../../kernel/storage-mongodb/test/mongodb-server.ts'
import { gateway, runProgram, startService, temporaryFolder } from './cli-fixture.ts'
import { notesPlugin } from './notes-program.ts'

const put = (url: string, id: string): Promise<Response> =>
  fetch(`${url}/api/tools/put_note`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, text: id }),
  })

/** Data folder of a gateway that has moved to a server: its embedded store is still there, unless it never had one. */
async function moved(t: TestContext, hadStore: boolean) {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  if (hadStore) {
    const service = await startTestGateway({ plugins: [notesPlugin], dataDir: env.GATEWAY_DATA_DIR })
    await service.call('put_note', { id: 'a', text: 'old' })
    await service.stop()
  }
  const MONGODB_URL = 'mongodb://me:secret%40@db1:27017,db2/notes?replicaSet=rs0'
  markStore(loadSettings({ env: { ...env, MONGODB_URL }, cwd: '/' }))
  return { env, mark: join(env.GATEWAY_DATA_DIR, 'process', 'store.json') }
}

for (const hadStore of [true, false]) {
  test(`the embedded store of a folder whose gateway uses another one is refused by each command, which names the variable${hadStore ? '' : ', also where there is none'}`, async (t) => {
    const { env, mark } = await moved(t, hadStore)
    const folder = await temporaryFolder(t)
    const said = new RegExp(
      `^gateway: The gateway of ${env.GATEWAY_DATA_DIR} keeps its documents in MongoDB \\(db1:27017,db2/notes\\), and not in the embedded store\\. ` +
        `Set MONGODB_URL, as the service has it\\..* remove ${mark}\\.$`,
      'm',
    )
    for (const argv of [
      ['backup', join(folder, 'copy')],
      ['backup', join(folder, 'copy'), '--without-store'],
      ['migrate', '--to', `sqlite:${join(folder, 'target')}`],
    ]) {
      const { code, stderr } = await gateway(argv, env)
      assert.equal(code, 1, argv.join(' '))
      assert.match(stderr, said)
    }
    assert.ok(!existsSync(join(folder, 'copy')) && !existsSync(join(folder, 'target')))
    for (const over of [{}, { GATEWAY_NEW_STORE: '1' }]) {
      const start = await runProgram(['start'], { ...env, ...over })
      assert.equal(start.code, 1)
      assert.match(start.stderr, said)
    }

    const doctor = await gateway(['doctor', '--json'], env)
    assert.equal(doctor.code, 1)
    const { checks } = doctor.json() as { checks: { check: string; outcome: string; detail: string; fix?: string }[] }
    const store = checks.find(({ check }) => check === 'store')
    assert.equal(store?.outcome, 'fail')
    assert.match(store?.detail ?? '', /keeps its documents in MongoDB \(db1:27017,db2\/notes\)/)
    assert.match(store?.fix ?? '', /^Set MONGODB_URL/)
    assert.doesNotMatch(JSON.stringify(checks), /secret/)
    const verified = await gateway(['audit', 'verify'], env)
    assert.match(verified.stderr, /it cannot be read: The gateway of/)

    await rm(mark)
    if (hadStore) assert.equal((await gateway(['backup', join(folder, 'copy')], env)).code, 0, 'the embedded store is the gateway’s again')
  })
}

test('a backup of the files holds no mark; a start on it without the variable names that', async (t) => {
  const { env } = await moved(t, false)
  const folder = await temporaryFolder(t)
  await mkdir(join(env.GATEWAY_DATA_DIR, 'audit', 'local'), { recursive: true })
  await writeFile(join(env.GATEWAY_DATA_DIR, 'audit', 'local', '2026-01-01.jsonl'), '{}\n')
  await writeFile(join(env.GATEWAY_DATA_DIR, 'node.id'), 'n\n')
  const mongo = { ...env, MONGODB_URL: 'mongodb://127.0.0.1:1/notes' }
  const taken = await gateway(['backup', join(folder, 'copy'), '--without-store'], mongo)
  assert.equal(taken.code, 0, taken.stderr)
  const to = join(folder, 'to')
  await gateway(['restore', join(folder, 'copy'), '--to', to], mongo)
  assert.ok(existsSync(join(to, 'node.id')) && !existsSync(join(to, 'process')))
  const { code, stderr } = await runProgram(['start'], { GATEWAY_DATA_DIR: to })
  assert.equal(code, 1)
  assert.match(stderr, /The gateway of this folder has run on MongoDB: if it still does, set MONGODB_URL\./)
})

test('a mark that cannot be read, or is of a store that this version does not know, refuses too', async (t) => {
  const { env, mark } = await moved(t, true)
  for (const text of ['', 'null', '{"store":"postgres","place":"db/notes"}']) {
    await writeFile(mark, text)
    const { code, stderr } = await gateway(['backup', join(env.GATEWAY_DATA_DIR, 'copy')], env)
    assert.equal(code, 1)
    assert.match(stderr, /keeps its documents in (another store|postgres \(db\/notes\)), .*Set the variable that names it/)
  }
})

const lacking = lacksProgram()
test(`a start on MongoDB marks the folder, and the way back into it takes the mark away${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
}, async (t) => {
  const server = await startServer()
  t.after(() => server.stop())
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_MONGODB_TIMEOUT_MS: '60000' }
  const mongo = { ...env, MONGODB_URL: `${server.url}notes` }
  const mark = join(env.GATEWAY_DATA_DIR, 'process', 'store.json')
  const embedded = await startService(t, env)
  assert.equal((await put(embedded.url, 'a')).status, 200)
  await embedded.signal('SIGTERM')
  const over = ['migrate', '--to', mongo.MONGODB_URL]
  for (const argv of [over, [...over, '--finish']]) {
    const ran = await gateway(argv, env)
    assert.equal(ran.code, 0, ran.stderr)
    if (argv === over) assert.equal((await runProgram(['start'], mongo)).code, 1, 'an unfinished copy')
    assert.ok(!existsSync(mark), 'only a start marks the folder')
  }

  const onServer = await startService(t, mongo)
  assert.deepEqual(JSON.parse(await readFile(mark, 'utf8')), { store: 'mongodb', place: `${new URL(server.url).host}/notes` })
  assert.equal((await put(onServer.url, 'b')).status, 200)
  await onServer.signal('SIGTERM')
  assert.match((await runProgram(['start'], env)).stderr, /keeps its documents in MongoDB/)

  await rename(join(env.GATEWAY_DATA_DIR, 'store'), join(env.GATEWAY_DATA_DIR, 'old-store'))
  const back = ['migrate', '--to', `sqlite:${env.GATEWAY_DATA_DIR}`]
  assert.equal((await gateway(back, mongo)).code, 0)
  assert.match((await runProgram(['start'], env)).stderr, /keeps its documents in MongoDB/, 'until the copy is finished')
  const finished = await gateway([...back, '--finish'], mongo)
  assert.equal(finished.code, 0, finished.stderr)
  const again = await startService(t, env)
  assert.match((await gateway(['call', 'count_notes', '--url', again.url], { ...env, NO_COLOR: '1' })).stdout, /2/)
})
