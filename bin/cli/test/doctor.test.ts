import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import type { Finding } from '../src/doctor/finding.ts'
import { checkClock, checkNode, NODE_RANGE } from '../src/doctor/runtime.ts'
import { announceRunning } from '../src/running.ts'
import { type Env, gateway, runProgram, serveNotes, startService, temporaryFolder } from './cli-fixture.ts'
import { notesPlugin } from './notes-program.ts'

interface Report {
  readonly healthy: boolean
  readonly checks: readonly Finding[]
}

async function examine(env: Env): Promise<Report & { readonly code: number; readonly of: (check: string) => Finding | undefined }> {
  const ended = await gateway(['doctor', '--json'], { GATEWAY_PORT: '0', ...env })
  const report = ended.json() as Report
  return {
    ...report,
    code: ended.code,
    of: (check) => report.checks.find((finding) => finding.check === check && finding.outcome !== 'ok'),
  }
}

/** Data folder of a stopped service, with two notes. */
async function usedFolder(t: TestContext): Promise<string> {
  const dataDir = await temporaryFolder(t)
  const service = await startTestGateway({ plugins: [notesPlugin], dataDir })
  for (const id of ['a', 'b']) await service.call('put_note', { id, text: 'x'.repeat(3000) })
  await service.stop()
  // Moves the data out of the write-ahead log: the tests damage the database file.
  const db = (await loadDriver()).open(join(dataDir, 'store', 'gateway.db'))
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  return dataDir
}

test('a new installation is healthy', async (t) => {
  const { code, healthy, checks } = await examine({ GATEWAY_DATA_DIR: join(await temporaryFolder(t), 'not', 'yet') })
  assert.deepEqual([code, healthy], [0, true])
  assert.deepEqual(
    checks.filter(({ outcome }) => outcome === 'fail').map(({ check }) => check),
    [],
  )
  assert.deepEqual(
    new Set(checks.map(({ check }) => check)),
    new Set(['node', 'configuration', 'clock', 'data folder', 'address', 'store', 'trust', 'keys', 'audit trail', 'notes']),
  )
})

test('beside a running service everything is checked, nothing is disturbed, and the service is recognised', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = await serveNotes(t, { dataDir })
  await gateway(['call', 'put_note', '{"id":"a","text":""}'], { GATEWAY_URL: service.url })
  const { port } = new URL(service.url)
  // Does the same as a start. The command need not know the port.
  const told = announceRunning(dataDir, service.url)
  const report = await examine({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '7411' })
  assert.equal(report.code, 0, JSON.stringify(report.checks))
  const details = report.checks.map(({ check, detail }) => `${check}: ${detail}`).join('\n')
  assert.match(
    details,
    new RegExp(`^address: a gateway \\d+\\.\\d+\\.\\d+ answers at http://127\\.0\\.0\\.1:${port}, on this data folder$`, 'm'),
  )
  assert.match(details, /^mcp: the official client lists 2 tools over 2025-11-25, and 2 tools over 2026-07-28$/m)
  assert.match(details, /^store: .*gateway\.db is sound$/m)
  assert.match(details, /^audit trail: 1 intact, 1 records/m)
  assert.equal((await gateway(['call', 'put_note', '{"id":"b","text":""}'], { GATEWAY_URL: service.url })).code, 0)
  const elsewhere = await examine({ GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_PORT: port })
  assert.match(elsewhere.of('address')?.detail ?? '', /answers at .*, and works on another data folder$/)
  told.forget()
})

test('where nobody is trusted without a credential the official client takes that of the environment, or is named the way to one', async (t) => {
  const dataDir = await temporaryFolder(t)
  const token = 'a-local-token-of-this-test'
  const service = await serveNotes(t, { dataDir, env: { GATEWAY_LOOPBACK_TRUST: '0', GATEWAY_LOCAL_TOKEN: token } })
  const env = { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: new URL(service.url).port }
  const found = (await examine(env)).of('mcp')
  assert.equal(found?.outcome, 'warn')
  assert.match(found?.fix ?? '', /GATEWAY_API_KEY .*gateway login/)
  assert.equal((await examine({ ...env, GATEWAY_LOCAL_TOKEN: token })).of('mcp'), undefined)
})

test('doctor reports whom the running service trusts, not whom this environment would', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = await startService(t, { GATEWAY_DATA_DIR: dataDir, GATEWAY_ALLOWED_HOSTS: 'gateway.example' })
  const { stdout } = await gateway(['doctor'], { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })
  const trust = /^ok +trust +(.*)$/m.exec(stdout)?.[1]
  assert.equal(
    trust,
    `process ${service.pid}: no request is trusted without a credential, this machine included: GATEWAY_ALLOWED_HOSTS names gateway.example`,
  )
})

test('a service that the official client does not get on with is a fault that says how', async (t) => {
  const server = createHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response
      .writeHead(request.url === '/status' ? 200 : 502)
      .end(JSON.stringify({ name: 'gateway', version: '0.1.0', database: 'connected' }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { code, of } = await examine({ GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_PORT: String(port) })
  assert.equal(code, 1)
  assert.match(of('mcp')?.detail ?? '', /^the official client does not get on with http:\/\/127\.0\.0\.1:\d+\/mcp: status 502, /)
})

test('a stopped service’s folder is healthy, and the check changes no file in it', async (t) => {
  const dataDir = await usedFolder(t)
  const before = await contents(dataDir)
  const { code, checks } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 0, JSON.stringify(checks))
  assert.deepEqual(await contents(dataDir), before)
})

test('damaged pages of the store are found', async (t) => {
  const dataDir = await usedFolder(t)
  const path = join(dataDir, 'store', 'gateway.db')
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  for (let page = 4096; page < size; page += 4096) await file.write(Buffer.alloc(64, 0xee), 0, 64, page)
  await file.close()
  const { code, of } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.equal(of('store')?.outcome, 'fail')
  assert.match(of('store')?.fix ?? '', /restore the last `gateway backup`/)
})

test('a file that is no store, and a store of a newer version, are found', async (t) => {
  const dataDir = await usedFolder(t)
  const path = join(dataDir, 'store', 'gateway.db')
  const file = await open(path, 'r+')
  // Header field `user_version`, big-endian.
  await file.write(Buffer.of(0, 0, 3, 231), 0, 4, 60)
  await file.close()
  assert.match((await examine({ GATEWAY_DATA_DIR: dataDir })).of('store schema')?.detail ?? '', /newer version .*schema 999/)
  await writeFile(path, 'not a database at all, but long enough to be read as one'.repeat(100))
  const found = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')
  assert.match(found?.detail ?? '', /gateway\.db cannot be read: file is not a database$/)
  assert.match(found?.fix ?? '', /restore the last `gateway backup`/)
  const { code, stderr } = await gateway(['backup', join(dataDir, 'copy.db')], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.match(stderr, /^gateway: .*gateway\.db cannot be opened: file is not a database\. `gateway doctor` says what to do\.\n$/)
})

test('a store that only cannot be opened is not called damaged', async (t) => {
  const dataDir = await temporaryFolder(t)
  // Simulates a full disk and a folder of another user: SQLite does not get to the contents of the file.
  await mkdir(join(dataDir, 'store', 'gateway.db'), { recursive: true })
  const found = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')
  assert.equal(found?.outcome, 'fail')
  assert.match(found?.fix ?? '', /Make room/)
  assert.doesNotMatch(found?.fix ?? '', /restore/)
})

/** Damages pages of the notes themselves, so that reading the notes meets the damage. */
async function damage(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  const pages = Array.from({ length: size / 4096 }, (_, page) => page * 4096)
  const bytes = await file.readFile()
  for (const page of pages.slice(1)) {
    if (bytes.subarray(page, page + 4096).includes('x'.repeat(2000))) await file.write(Buffer.alloc(64, 0xee), 0, 64, page)
  }
  await file.close()
}

test('damage that is met only while the documents are read is told as damage', async (t) => {
  const dataDir = await usedFolder(t)
  await damage(join(dataDir, 'store', 'gateway.db'))
  const found = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')
  assert.equal(found?.outcome, 'fail')
  assert.match(found?.fix ?? '', /restore the last `gateway backup`/)
})

test('a document that is no JSON is told by its collection', async (t) => {
  const dataDir = await usedFolder(t)
  const db = (await loadDriver()).open(join(dataDir, 'store', 'gateway.db'))
  db.exec(`update notes set doc = '{"id": "a", ' where id = 'a'`)
  db.close()
  const found = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')
  assert.match(found?.detail ?? '', /notes: the document of row \d+ is no JSON/)
  assert.match(found?.fix ?? '', /restore the last `gateway backup`/)
})

test('a store that was emptied, removed or replaced by another program’s database is named as that', async (t) => {
  const dataDir = await usedFolder(t)
  const path = join(dataDir, 'store', 'gateway.db')
  await writeFile(path, '')
  const emptied = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')
  assert.match(emptied?.detail ?? '', /gateway\.db holds nothing, but there was a store in this data folder/)
  assert.match(emptied?.fix ?? '', /restore the last `gateway backup`.*GATEWAY_NEW_STORE=1/)
  await rm(path)
  assert.match((await examine({ GATEWAY_DATA_DIR: dataDir })).of('store')?.detail ?? '', /gateway\.db is not there, but/)
  const db = (await loadDriver()).open(path)
  db.exec('create table recipes (a)')
  db.close()
  const foreign = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('store schema')
  assert.match(foreign?.detail ?? '', /gateway\.db is a database of another program/)
  assert.match(foreign?.fix ?? '', /another folder/)
})

test('a hash key that is lost, no key, or another one is found', async (t) => {
  const dataDir = await usedFolder(t)
  const path = join(dataDir, 'keys', 'hash.key')
  for (const [text, detail] of [
    ['not a key', /hash\.key does not hold a hash key/],
    ['0'.repeat(64), /hash\.key is not the one that the API keys in the store were hashed with/],
  ] as const) {
    await writeFile(path, text)
    assert.match((await examine({ GATEWAY_DATA_DIR: dataDir })).of('keys')?.detail ?? '', detail)
  }
  await rm(path)
  const { of, code } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.match(of('keys')?.detail ?? '', /hash\.key is missing/)
  assert.equal(code, 1)
})

test('a MongoDB that does not answer is a failure', async () => {
  const found = (await examine({ MONGODB_URL: 'mongodb://127.0.0.1:1/gateway', GATEWAY_MONGODB_TIMEOUT_MS: '200' })).of('store')
  assert.match(found?.detail ?? '', /MONGODB_URL does not answer/)
})

test('a check that cannot do its work is a finding, and the others follow', async (t) => {
  const dataDir = await usedFolder(t)
  await rm(join(dataDir, 'keys', 'hash.key'))
  await mkdir(join(dataDir, 'keys', 'hash.key'))
  const { of, checks } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.match(of('keys')?.detail ?? '', /EISDIR/)
  assert.ok(checks.some(({ check }) => check === 'audit trail'))
})

test('a changed audit record is found by doctor and by audit verify, with file and line', async (t) => {
  const dataDir = await usedFolder(t)
  const [day = ''] = (await readdir(join(dataDir, 'audit', 'local'))).filter((name) => name.endsWith('.jsonl'))
  const path = join(dataDir, 'audit', 'local', day)
  assert.match(
    (await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: dataDir })).stdout,
    /^local: intact, 2 records in 1 files, last 2 [0-9a-f]{64}\n$/,
  )

  await writeFile(path, (await readFile(path, 'utf8')).replace('"put_note"', '"got_note"'))
  const { code, of } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.match(
    of('audit trail')?.detail ?? '',
    new RegExp(`^1 of 1 trails have faults: local/${day}:1: the record does not match its own hash`),
  )
  const verify = await gateway(['audit', 'verify', '--tenant', 'local'], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(verify.code, 1)
  assert.match(verify.stdout, new RegExp(`^ {2}local/${day}:1 seq 1: the record does not match its own hash$`, 'm'))
  assert.equal((await gateway(['audit', 'verify', '--json'], { GATEWAY_DATA_DIR: dataDir })).json().tenants[0].found[0].line, 1)
})

test('a tenant’s trail that was removed as a whole is missed by doctor and audit verify, as the store knows of it', async (t) => {
  const dataDir = await usedFolder(t)
  await rm(join(dataDir, 'audit', 'local'), { recursive: true })
  const { code, of } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.equal(of('audit trail')?.detail, '1 of 1 trails have faults: local: the trail is gone: it had 2 records')
  const verify = await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(verify.code, 1)
  assert.match(verify.stdout, /^ {2}local: the trail is gone: it had 2 records$/m)
  await rm(join(dataDir, 'audit'), { recursive: true })
  assert.equal((await gateway(['audit', 'verify', '--tenant', 'local'], { GATEWAY_DATA_DIR: dataDir })).code, 1)
})

test('a store that cannot be read is no fault of the trails, and it is said what cannot be told without it', async (t) => {
  const dataDir = await usedFolder(t)
  await writeFile(join(dataDir, 'store', 'gateway.db'), 'not a database at all, but long enough to be read as one'.repeat(100))
  const { code, stdout, stderr } = await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(code, 0)
  assert.match(stdout, /^local: intact/)
  assert.match(stderr, /^gateway: whether whole trails are gone only the store knows, and it cannot be read: .*not a database/)
  const found = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('audit trail')
  assert.equal(found?.outcome, 'warn')
  assert.match(found?.detail ?? '', /only the store knows/)
})

test('audit verify of a tenant without a trail, and of an id that is none, is refused', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  assert.match((await gateway(['audit', 'verify', '--tenant', 'nobody'], env)).stderr, /^gateway: There is no audit trail of tenant nobody/)
  assert.match((await gateway(['audit', 'verify', '--tenant', '../x'], env)).stderr, /^gateway: There is no audit trail of tenant \.\.\/x/)
  assert.match((await gateway(['audit', 'verify'], env)).stdout, /^There is no audit trail in .* yet\.\n$/)
})

test('what is no trail among the trails is a finding of its own, and the others are verified', async (t) => {
  const dataDir = await usedFolder(t)
  const audit = join(dataDir, 'audit')
  await writeFile(join(audit, 'acme'), 'a file where a folder belongs')
  await mkdir(join(audit, 'beta', '2099-01-01.jsonl'), { recursive: true })
  const { of } = await examine({ GATEWAY_DATA_DIR: dataDir })
  assert.match(of('audit trail')?.detail ?? '', /^2 of 3 trails have faults: acme: cannot be read: ENOTDIR/)
  const verify = await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: dataDir })
  assert.equal(verify.code, 1)
  assert.match(
    verify.stdout,
    /^acme: 1 fault.*\n {2}acme: cannot be read: ENOTDIR.*\nbeta: 1 fault.*\n {2}beta: cannot be read: EISDIR.*\nlocal: intact, 2 records/,
  )

  for (const name of ['acme', 'beta']) await rm(join(audit, name), { recursive: true })
  await mkdir(join(audit, 'Old Copies'))
  const odd = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('audit trail')
  assert.deepEqual([odd?.outcome, /are files that are no trail: Old Copies/.test(odd?.detail ?? '')], ['warn', true], odd?.detail)
})

test('a root that is not there stops a start and is found by its name', async (t) => {
  const { code, of } = await examine({ GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_ROOT: '/not/there' })
  assert.equal(code, 1)
  assert.equal(of('configuration')?.detail, 'GATEWAY_ROOT names /not/there, which does not exist.')
})

test('a variable that nobody reads is found, with the one that was meant', async (t) => {
  const env = {
    GATEWAY_DATA_DIR: await temporaryFolder(t),
    GATEWAY_PROT: '7500',
    GATEWAY_URL: 'http://127.0.0.1:1',
    GATEWAY_HOOK_TRANSCRIPTS: '0',
    GATEWAY_HOOK_TIMEOUT_MS: '500',
    GATEWAY_ACCOUNT: 'ada',
    // A runner sets these for its agents.
    GATEWAY_TASK_ID: 'task-1',
    GATEWAY_MAIL_ADDRESS: 'runner-1',
    GATEWAY_RESULT_FILE: '/tmp/result',
    GATEWAY_RUN_ID: 'run-1',
    // Kubernetes sets these for the services gateway and gateway-nodes.
    GATEWAY_SERVICE_HOST: '10.96.0.7',
    GATEWAY_NODES_SERVICE_PORT_HTTP: '7411',
    GATEWAY_NODES_PORT: 'tcp://10.96.0.8:7411',
    GATEWAY_NODES_PORT_7411_TCP_ADDR: '10.96.0.8',
  }
  const { code, checks } = await examine(env)
  assert.equal(code, 0)
  assert.deepEqual(
    checks.filter(({ check, outcome }) => check === 'configuration' && outcome !== 'ok').map(({ detail }) => detail),
    ['GATEWAY_PROT is no setting, and nothing reads it. Did you mean GATEWAY_PORT?'],
  )
})

test('plugins of a config file that was merely found are not run; those of one that was named are', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'gateway.config.json'), '{"plugins":{"./stranger.mjs":true,"notes":{"most":3}}}')
  await writeFile(
    join(folder, 'stranger.mjs'),
    "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('ran', import.meta.url), ''); export default 1",
  )
  const env = { GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_PORT: '0' }
  for (const command of [['doctor'], ['migrate', '--to', `sqlite:${join(folder, 'copy')}`]]) {
    const { code, stdout, stderr } = await gateway(command, env, folder)
    assert.match(stdout + stderr, /loads \.\/stranger\.mjs/)
    assert.equal(code, command[0] === 'doctor' ? 0 : 1, stderr)
    assert.ok(!(await readdir(folder)).includes('ran'), command[0])
  }
  const { stdout } = await gateway(['doctor'], { ...env, GATEWAY_CONFIG: 'gateway.config.json' }, folder)
  assert.match(stdout, /stranger\.mjs' failed in load/)
  assert.ok((await readdir(folder)).includes('ran'))
})

test('another user’s data folder is a finding that says who has to look, and the other checks follow', async (t) => {
  const dataDir = await usedFolder(t)
  const nobody = 65534
  const examined = await runProgram(
    ['doctor', '--json'],
    { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' },
    undefined,
    process.getuid?.() === 0 ? nobody : undefined,
  )
  if (process.getuid?.() !== 0) return t.skip('only root can look as another user')
  const { checks } = examined.json() as Report
  assert.equal(examined.code, 1, examined.stderr)
  for (const check of ['data folder', 'store', 'keys', 'audit trail']) {
    assert.match(checks.find((finding) => finding.check === check)?.fix ?? '', /user who runs the service/, JSON.stringify(checks))
  }
  assert.doesNotMatch(examined.stdout + examined.stderr, /^ {4}at /m)
  for (const command of [['start'], ['backup', '/tmp/never-written'], ['audit', 'verify']]) {
    const { code, stderr } = await runProgram(command, { GATEWAY_DATA_DIR: dataDir }, undefined, nobody)
    assert.equal(code, 1)
    assert.match(stderr, /^gateway: EACCES: .* Run it as the user to whom that belongs, or give it to this one\.\n$/, command.join(' '))
  }
})

test('families take part, with their settings and the documents of all tenants; one that fails is a finding', async (t) => {
  const dataDir = await usedFolder(t)
  const report = await examine({ GATEWAY_DATA_DIR: dataDir })
  const details = report.checks.filter(({ check }) => check === 'notes').map(({ outcome, detail }) => `${outcome}: ${detail}`)
  assert.deepEqual(details, ['ok: local a, local b; at most 100000'])
  const db = (await loadDriver()).open(join(dataDir, 'store', 'gateway.db'))
  db.exec("update notes set doc = 'nothing' where id = 'a'")
  db.close()
  const failed = (await examine({ GATEWAY_DATA_DIR: dataDir })).of('notes')
  assert.deepEqual([failed?.outcome, /bundle/.test(failed?.fix ?? '')], ['fail', true])
})

test('the bundle holds the report, settings and figures, and no secret; only its owner reads it', async (t) => {
  const dataDir = await usedFolder(t)
  const file = join(dataDir, 'bundle.json')
  const secrets = { ADMIN_API_TOKEN: 'the-admin-has-this-token', GATEWAY_LOCAL_TOKEN: 'the-local-has-this-token-too' }
  const env = { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '1', ...secrets }
  assert.equal((await gateway(['doctor', '--bundle', file], env)).code, 0)
  const text = await readFile(file, 'utf8')
  for (const secret of Object.values(secrets)) assert.ok(!text.includes(secret))
  const bundle = JSON.parse(text)
  assert.deepEqual(bundle.environment, ['ADMIN_API_TOKEN', 'GATEWAY_DATA_DIR', 'GATEWAY_LOCAL_TOKEN', 'GATEWAY_PORT'])
  assert.equal(bundle.settings.port, 1)
  assert.ok(bundle.report.some(({ check }: Finding) => check === 'store'))
  assert.equal(bundle.dataFolder.keys.files, 2)
  assert.equal(bundle.service.url, 'http://127.0.0.1:1')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const again = await gateway(['doctor', '--bundle', file], env)
  assert.deepEqual([again.code, again.stderr], [1, `gateway: ${file} exists already, and nothing is written over it.\n`])
})

test('a wrong setting is found, by its name; wrong settings of the kernel end the examination', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'gateway.config.json'), '{"plugins":{"notes":{"most":"many"}}}')
  const plugin = await examine({ GATEWAY_DATA_DIR: folder, GATEWAY_ROOT: folder })
  assert.equal(plugin.code, 1)
  assert.match(plugin.of('configuration')?.detail ?? '', /plugin 'notes' failed in config: .*most/)
  assert.ok(
    plugin.checks.some(({ check }) => check === 'store'),
    'the rest is checked',
  )
  const kernel = await examine({ GATEWAY_DATA_DIR: 'here' })
  assert.match(kernel.of('configuration')?.detail ?? '', /GATEWAY_DATA_DIR must be an absolute path/)
})

test('trust in this machine beside a name for others is found, and an address open to a network in which no name leads here', async (t) => {
  const GATEWAY_DATA_DIR = await temporaryFolder(t)
  const named = { GATEWAY_DATA_DIR, GATEWAY_ALLOWED_HOSTS: 'gateway.example' }
  const open = { GATEWAY_HOST: '0.0.0.0', GATEWAY_LOCAL_TOKEN: 'x'.repeat(40) }
  assert.equal((await examine(named)).of('trust'), undefined)
  assert.match(
    (await examine({ ...named, ...open, GATEWAY_LOOPBACK_TRUST: '1' })).of('trust')?.detail ?? '',
    /on beside .*gateway\.example/,
  )
  assert.match((await examine({ GATEWAY_DATA_DIR, ...open })).of('trust')?.detail ?? '', /answers to no name but/)
})

test('an address that another program has is found', async (t) => {
  const server = createServer((socket) => socket.end('no HTTP')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { of } = await examine({ GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_PORT: String(port) })
  assert.deepEqual([of('address')?.outcome, of('address')?.detail], ['fail', `127.0.0.1:${port} is taken by another program`])
})

test('a clock that is reset, or behind the data, is found', async (t) => {
  const dataDir = await usedFolder(t)
  const { mtimeMs } = await stat(join(dataDir, 'store', 'gateway.db'))
  assert.equal((await checkClock(dataDir, Date.parse('1970-01-02'))).outcome, 'fail')
  assert.equal((await checkClock(dataDir, mtimeMs)).outcome, 'ok')
  const ahead = new Date(mtimeMs + 3_600_000)
  await utimes(join(dataDir, 'store', 'gateway.db'), ahead, ahead)
  assert.equal((await checkClock(dataDir, mtimeMs)).outcome, 'warn')
})

test('a Node that is too old is found; the range is that of package.json', async () => {
  const { engines } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as { engines: { node: string } }
  assert.equal(NODE_RANGE, engines.node)
  assert.equal(checkNode('18.20.0').outcome, 'fail')
  assert.equal(checkNode('24.1.0').outcome, 'ok')
})

test('the human report says what was found, and below it what to do', async (t) => {
  const { code, stdout } = await gateway(['doctor'], {
    GATEWAY_DATA_DIR: await temporaryFolder(t),
    GATEWAY_HOST: '203.0.113.7',
    GATEWAY_ALLOWED_HOSTS: 'gateway.example',
    GATEWAY_PORT: '1',
    GATEWAY_LOCAL_TOKEN: 'x'.repeat(40),
  })
  assert.equal(code, 1)
  assert.match(stdout, /^ok +node +\d+/m)
  assert.match(stdout, /^fail +address +203\.0\.113\.7:1 cannot be listened on/m)
  assert.match(stdout, /\naddress: Set GATEWAY_HOST to an address of this machine\.\n$/)
})

async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // Files that SQLite shares between connections are not contents of the store.
  const files = entries
    .filter((entry) => entry.isFile() && !/-(shm|wal)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(await Promise.all(files.sort().map(async (path) => [path, (await readFile(path)).toString('base64')])))
}
