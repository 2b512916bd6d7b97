import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { UnwrittenRecordError } from '../../core/src/ports/audit.ts'
import { openAuditFiles } from '../src/files.ts'
import { auditDir, entry, linesOf, verified } from './audit-fixture.ts'

const reserveOf = (dir: string): string => join(dir, '.owed')

/** The folder that a process leaves when it is killed while it owes two records of one call. */
async function leftByKilledProcess(t: TestContext): Promise<string> {
  const [running, dir] = [await auditDir(t), await auditDir(t)]
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const trail = openAuditFiles({ dir: running })
  await trail.append('other', [entry('first')])
  t.mock.timers.tick(1_000)
  while (((await stat(reserveOf(running)).catch(() => undefined))?.size ?? 0) === 0) await setImmediate()
  await writeFile(join(running, 'local'), 'in the way')
  await assert.rejects(trail.append('local', [entry('owed'), entry('owed', { name: 'task.trash' })]), UnwrittenRecordError)
  await cp(running, dir, { recursive: true, filter: (path) => path !== join(running, 'local') })
  await trail.close()
  return dir
}

const idsOf = async (dir: string): Promise<string[]> => (await linesOf(dir, 'local')).map(({ name, requestId }) => `${name} ${requestId}`)
const isEmpty = async (dir: string): Promise<boolean> => (await readFile(reserveOf(dir))).every((byte) => byte === 0)

test('records that a killed process owed are written by the next one before anything else is changed, and once', async (t) => {
  const dir = await leftByKilledProcess(t)
  const kept = await readFile(reserveOf(dir))
  const trail = openAuditFiles({ dir })
  await trail.settle('local')
  await trail.append('local', [entry('next')])
  await trail.close()
  const expected = ['tool.call owed', 'task.trash owed', 'tool.call next']
  assert.deepEqual(await idsOf(dir), expected)
  assert.equal(await isEmpty(dir), true)
  // A kill between the write and the release leaves the records in both places.
  await writeFile(reserveOf(dir), kept)
  await openAuditFiles({ dir }).close()
  assert.deepEqual(await idsOf(dir), expected)
  assert.equal(await isEmpty(dir), true)
  assert.deepEqual((await verified(dir)).found, [])
})

test('records that a killed process owed to a tenant that has ended are dropped', async (t) => {
  const dir = await leftByKilledProcess(t)
  const trail = openAuditFiles({ dir, isEnded: (tenantId) => tenantId === 'local' })
  await trail.close()
  await assert.rejects(linesOf(dir, 'local'), { code: 'ENOENT' })
  assert.equal(await isEmpty(dir), true)
})

test('the removal of a tenant takes its owed records along', async (t) => {
  const dir = await leftByKilledProcess(t)
  const trail = openAuditFiles({ dir })
  await trail.remove('local')
  assert.equal(await isEmpty(dir), true)
  await trail.close()
})

test('a reserve that is full keeps what fits, and the rest is owed in memory', async (t) => {
  const dir = await auditDir(t)
  await writeFile(join(dir, 'local'), 'in the way')
  const trail = openAuditFiles({ dir })
  const large = { details: { filler: 'x'.repeat(200_000) } }
  for (const id of ['r1', 'r2', 'r3']) await assert.rejects(trail.append('local', [entry(id, large)]), UnwrittenRecordError)
  const reserved = await readFile(reserveOf(dir), 'utf8')
  assert.deepEqual(
    ['r1', 'r2', 'r3'].map((id) => reserved.includes(`\\"${id}\\"`)),
    [true, true, false],
  )
  await rm(join(dir, 'local'))
  await trail.close()
  assert.equal((await linesOf(dir, 'local')).length, 3)
  assert.equal(await isEmpty(dir), true)
})

test('a process killed on a full disk leaves a record of each call that was acknowledged', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-audit-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dir])
  t.after(async () => {
    spawnSync('umount', [dir])
    await rm(dir, { recursive: true })
  })
  if (status !== 0) return t.skip('mounting a tmpfs needs root')
  const args = [...process.execArgv.filter((arg) => !arg.startsWith('--test')), join(import.meta.dirname, 'audit-killed-full.ts'), dir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  const { written, owed } = JSON.parse(text) as { written: string[]; owed: string[] }
  assert.ok(owed.length > 0)
  await rm(join(dir, 'filler'))
  await openAuditFiles({ dir }).close()
  assert.deepEqual((await linesOf(dir, 'local')).map(({ requestId }) => requestId).sort(), [...written, ...owed].sort())
  assert.deepEqual((await verified(dir)).found, [])
})
