import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import brain from '../src/index.ts'
import { commit, plainGit, start } from './support.ts'

const plugins = [git, memory, brain]
const run = (argv: readonly string[], env: Record<string, string>) => runCommand({ plugins: async () => plugins, argv, env, cwd: tmpdir() })

async function inFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-brain-doctor-'))
  try {
    await work(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function said(dataDir: string): Promise<readonly { readonly outcome: string; readonly detail: string; readonly fix?: string }[]> {
  const { checks } = (await run(['doctor', '--json'], { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0' })).json() as {
    checks: { check: string; outcome: string; detail: string; fix?: string }[]
  }
  return checks.filter(({ check }) => check === 'brains')
}

/** Removes atoms from the index in a way that no write of the gateway does. */
async function loseAtoms(dataDir: string, slug: string): Promise<void> {
  const db = (await loadDriver()).open(join(dataDir, 'store', 'gateway.db'))
  db.exec(`delete from "brain.atoms" where doc like '%"slug":"${slug}"%'`)
  db.close()
}

test('doctor: a brain whose index fits is in order, and one that lags behind its refs says that it catches up', () =>
  inFolder(async (dataDir) => {
    const gateway = await start({ dataDir })
    await commit(gateway, { slug: 'one', content: 'one' })
    const before = plainGit(gateway, 'rev-parse', 'main').trim()
    const { atom } = await commit(gateway, { slug: 'two', content: 'two' })
    await gateway.call('brain_revert', { sha: atom.commit })
    await gateway.call('brain_branch', { slug: 'open' })
    await commit(gateway, { slug: 'three', content: 'three' })
    await gateway.stop()
    assert.deepEqual(await said(dataDir), [{ check: 'brains', outcome: 'ok', detail: '1 with an index that fits' }])
    plainGit(gateway, 'update-ref', 'refs/heads/main', before)
    const [behind] = await said(dataDir)
    assert.deepEqual([behind?.outcome, /1 catch up/.test(behind?.detail ?? '')], ['ok', true])
  }))

test('doctor: an index that does not fit its main is a fault, and `gateway brain-reindex` makes it anew', () =>
  inFolder(async (dataDir) => {
    const first = await start({ dataDir })
    for (const slug of ['pear', 'plum']) await commit(first, { slug, content: `a ${slug} tree` })
    await first.stop()
    await loseAtoms(dataDir, 'plum')
    const [fault] = await said(dataDir)
    assert.deepEqual([fault?.outcome, /local .*1 atoms are missing, 0 /.test(fault?.detail ?? '')], ['fail', true], fault?.detail)
    assert.match(fault?.fix ?? '', /gateway brain-reindex/)
    await using again = await start({ dataDir, listen: true })
    assert.equal((await again.call('brain_search', { query: 'plum' })).hits.length, 0)
    const { code, stdout, stderr } = await run(['brain-reindex'], { GATEWAY_URL: again.url })
    assert.deepEqual([code, stdout.startsWith('The index has 2 atoms')], [0, true], stderr)
    assert.equal((await again.call('brain_search', { query: 'plum' })).hits.length, 1)
    assert.equal((await again.call('brain_status')).atoms.total, 2)
    assert.equal((await run(['brain-reindex', 'all'], { GATEWAY_URL: again.url })).code, 64)
    await again.stop()
    assert.equal((await said(dataDir))[0]?.outcome, 'ok')
  }))

test('doctor: an index without its repository is a fault that sends to the backup', () =>
  inFolder(async (dataDir) => {
    const gateway = await start({ dataDir })
    await commit(gateway)
    await gateway.stop()
    await rm(join(dataDir, 'brains'), { recursive: true })
    const [fault] = await said(dataDir)
    assert.deepEqual([fault?.outcome, /repository of local is missing/.test(fault?.detail ?? '')], ['fail', true])
    assert.match(fault?.fix ?? '', /backup/)
  }))

test('a brain whose repository was lost is written again only after that was accepted', () =>
  inFolder(async (dataDir) => {
    const before = await start({ dataDir })
    await commit(before, { slug: 'lost', content: 'a lost tree' })
    await before.stop()
    await rm(join(dataDir, 'brains'), { recursive: true })
    await using gateway = await start({ dataDir, listen: true })
    await assert.rejects(commit(gateway, { slug: 'new', content: 'a new tree' }), /GATEWAY_BRAINS_DIR/)
    const refused = await run(['brain-reindex'], { GATEWAY_URL: gateway.url })
    assert.match(refused.stderr, /--accept-other/)
    assert.equal((await gateway.call('brain_search', { query: 'lost' })).hits.length, 1)
    const accepted = await run(['brain-reindex', '--accept-other'], { GATEWAY_URL: gateway.url })
    assert.deepEqual([accepted.code, accepted.stdout.startsWith('The index is empty')], [0, true], accepted.stderr)
    await commit(gateway, { slug: 'new', content: 'a new tree' })
    assert.equal((await gateway.call('brain_search', { query: 'tree' })).hits.length, 1)
  }))

test('a brain that is not there has no index to be made anew', async () => {
  await using gateway = await start({ listen: true })
  const { code, stderr } = await run(['brain-reindex'], { GATEWAY_URL: gateway.url })
  assert.deepEqual([code, /NOT_FOUND/.test(stderr)], [2, true], stderr)
})
