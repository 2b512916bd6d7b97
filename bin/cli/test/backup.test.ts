import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { gateway, runProgram, serveNotes, startService, temporaryFolder } from './cli-fixture.ts'
import { notesPlugin } from './notes-program.ts'

/** Data folder of a stopped service: a note in the store, a file of a plugin, a config file in the root. */
async function used(t: TestContext) {
  const folder = await temporaryFolder(t)
  const env = { GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_ROOT: join(folder, 'root'), GATEWAY_PORT: '0' }
  await mkdir(join(env.GATEWAY_DATA_DIR, 'drawings', 'empty'), { recursive: true })
  await mkdir(env.GATEWAY_ROOT)
  await writeFile(join(env.GATEWAY_DATA_DIR, 'drawings', 'one.svg'), '<svg/>', { mode: 0o644 })
  await writeFile(join(env.GATEWAY_DATA_DIR, 'scratch'), 'not worth keeping')
  await writeFile(join(env.GATEWAY_ROOT, 'gateway.config.json'), '{"plugins":{"notes":{"most":7}}}')
  const service = await startTestGateway({ plugins: [notesPlugin], dataDir: env.GATEWAY_DATA_DIR })
  await service.call('put_note', { id: 'a', text: 'kept' })
  await service.stop()
  return { folder, env }
}

async function modes(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries.map(async (entry) => {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    return `${entry.isDirectory() ? 'd' : 'f'}${(mode & 0o777).toString(8)}`
  })
  return [...new Set(await Promise.all(found))].sort()
}

for (const name of ['copy', 'copy.tgz', 'copy.tar']) {
  test(`a backup as ${name} holds everything and is restored with its checks; only its owner can read either`, async (t) => {
    const { folder, env } = await used(t)
    const backup = await gateway(['backup', name, '--json'], env, folder)
    assert.equal(backup.code, 0, backup.stderr)
    assert.equal(backup.json().path, join(folder, name))
    assert.equal((await stat(join(folder, name))).mode & 0o077, 0)
    if (name === 'copy') assert.deepEqual(await modes(join(folder, name)), ['d700', 'f600'])
    assert.deepEqual((await readdir(folder)).sort(), ['data', name, 'root'].sort(), 'nothing is left beside it')

    const to = join(folder, 'new', 'place')
    const restored = await gateway(['restore', name, '--to', to], env, folder)
    assert.equal(restored.code, 0, restored.stdout + restored.stderr)
    assert.match(restored.stdout, new RegExp(`To run it: GATEWAY_DATA_DIR=${to} GATEWAY_ROOT=${to}/root gateway start`))
    assert.deepEqual((await readdir(to)).sort(), ['audit', 'drawings', 'keys', 'root', 'store'])
    assert.equal(await readFile(join(to, 'drawings', 'one.svg'), 'utf8'), '<svg/>')
    assert.deepEqual(await readdir(join(to, 'drawings', 'empty')), [])
    assert.match(await readFile(join(to, 'root', 'gateway.config.json'), 'utf8'), /"most":7/)
    for (const file of ['keys/hash.key', 'keys/store.id']) {
      assert.equal(await readFile(join(to, file), 'utf8'), await readFile(join(env.GATEWAY_DATA_DIR, file), 'utf8'), file)
    }
    assert.equal((await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: to })).code, 0)
    const { url } = await serveNotes(t, { dataDir: to })
    assert.deepEqual((await gateway(['call', 'count_notes'], { GATEWAY_URL: url })).json(), { count: 1 })
  })
}

test('a backup never writes over what is there, and a restore never into a folder with something in it', async (t) => {
  const { folder, env } = await used(t)
  await gateway(['backup', 'copy'], env, folder)
  const again = await gateway(['backup', 'copy'], env, folder)
  assert.deepEqual([again.code, again.stderr], [1, `gateway: ${join(folder, 'copy')} exists already, and nothing is written over it.\n`])
  const onto = await gateway(['restore', 'copy'], env, folder)
  assert.equal(onto.code, 1)
  assert.match(onto.stderr, /data is not empty \(audit, drawings, keys, process, scratch\), and nothing is written over it/)
  const bare = join(folder, 'bare')
  await mkdir(join(bare, 'lost+found'), { recursive: true })
  assert.equal((await gateway(['restore', 'copy', '--to', bare], env, folder)).code, 0, 'a new disk is empty')
})

test('a backup of which a file was changed, taken away or put in is refused by the name of the file, and nothing is restored', async (t) => {
  const { folder, env } = await used(t)
  await gateway(['backup', 'whole'], env, folder)
  const cases: readonly (readonly [fault: RegExp, (copy: string) => Promise<unknown>])[] = [
    [/data\/drawings\/one\.svg is not as it was written/, (copy) => writeFile(join(copy, 'data/drawings/one.svg'), '<svg>')],
    [/data\/keys\/hash\.key is missing/, (copy) => rm(join(copy, 'data/keys/hash.key'))],
    [/data\/keys\/more\.key is not of this backup/, (copy) => writeFile(join(copy, 'data/keys/more.key'), 'x')],
    [/has no manifest\.json: it is no backup, or one that was not finished/, (copy) => rm(join(copy, 'manifest.json'))],
    [/is not a backup of a gateway/, (copy) => writeFile(join(copy, 'manifest.json'), '{}')],
  ]
  for (const [fault, change] of cases) {
    const [copy, to] = [join(folder, 'copy'), join(folder, 'to')]
    await cp(join(folder, 'whole'), copy, { recursive: true })
    await change(copy)
    const { code, stderr } = await gateway(['restore', copy, '--to', to], env)
    assert.equal(code, 1)
    assert.match(stderr, fault)
    assert.deepEqual(await readdir(to), [])
    await rm(copy, { recursive: true })
  }
  const torn = join(folder, 'torn.tgz')
  await gateway(['backup', torn], env, folder)
  await writeFile(torn, (await readFile(torn)).subarray(0, 400))
  assert.match((await gateway(['restore', torn, '--to', join(folder, 'to')], env)).stderr, /torn\.tgz cannot be read as a backup/)
  assert.match(
    (await gateway(['restore', 'nowhere'], { ...env, GATEWAY_DATA_DIR: join(folder, 'to') }, folder)).stderr,
    /nowhere does not exist\./,
  )
})

test('a restore that was killed half way is begun anew by the next', async (t) => {
  const { folder, env } = await used(t)
  await gateway(['backup', 'copy'], env, folder)
  const to = join(folder, 'to')
  await mkdir(join(to, '.restoring', 'data', 'store'), { recursive: true })
  assert.equal((await gateway(['restore', 'copy', '--to', to], env, folder)).code, 0)
  assert.ok(!(await readdir(to)).includes('.restoring'))
})

test('with MongoDB a backup says what to do, and takes the files on request', async (t) => {
  const { folder, env } = await used(t)
  const mongo = { ...env, MONGODB_URL: 'mongodb://127.0.0.1:1/gateway' }
  const refused = await gateway(['backup', 'copy'], mongo, folder)
  assert.deepEqual([refused.code, /`mongodump --oplog`.*snapshot.*--without-store/.test(refused.stderr)], [1, true], refused.stderr)
  const files = await gateway(['backup', 'copy', '--without-store'], mongo, folder)
  assert.equal(files.code, 0, files.stderr)
  const to = join(folder, 'to')
  const restored = await gateway(['restore', 'copy', '--to', to], env, folder)
  assert.match(restored.stdout, /restore that with `mongorestore --oplogReplay`, and set MONGODB_URL/)
  assert.deepEqual((await readdir(to)).sort(), ['audit', 'drawings', 'keys', 'root'])
})

test('a folder without a store, and wrong usage, are said', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t) }
  assert.match(
    (await gateway(['backup', join(env.GATEWAY_DATA_DIR, 'x')], env)).stderr,
    / does not exist yet; check GATEWAY_DATA_DIR, and MONGODB_URL/,
  )
  assert.equal((await gateway(['backup'], env)).code, 64)
  assert.equal((await gateway(['restore', 'a', 'b'], env)).code, 64)
})

test('while the service writes, every note that was acknowledged before is in the backup, and the trail verifies', async (t) => {
  const folder = await temporaryFolder(t)
  const env = { GATEWAY_DATA_DIR: join(folder, 'data') }
  const service = await startService(t, env)
  let writing = true
  let written = 0
  const writer = (async () => {
    while (writing) {
      const response = await fetch(`${service.url}/api/tools/put_note`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: `n${written}`, text: 'x'.repeat(500) }),
      })
      assert.equal(response.status, 200)
      written++
    }
  })()
  while (written < 50) await new Promise(setImmediate)
  const before = written
  const backup = await runProgram(['backup', 'copy.tgz'], env, folder)
  const after = written
  writing = false
  await writer
  assert.equal(backup.code, 0, backup.stderr)
  assert.ok(after > before, 'the service went on writing')

  const to = join(folder, 'to')
  const restored = await gateway(['restore', 'copy.tgz', '--to', to], env, folder)
  assert.equal(restored.code, 0, restored.stdout + restored.stderr)
  const { url } = await serveNotes(t, { dataDir: to })
  const { count } = (await gateway(['call', 'count_notes'], { GATEWAY_URL: url })).json() as { count: number }
  assert.ok(count >= before && count <= after + 1, `${before} <= ${count} <= ${after + 1}`)
  assert.equal((await gateway(['audit', 'verify'], { GATEWAY_DATA_DIR: to })).code, 0)
})
