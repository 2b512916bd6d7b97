import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { commit, files, gitIn, plainGit, start } from './support.ts'

test('brain_branch creates idea/cli by default, and resumes what is there', async () => {
  await using gateway = await start()
  const first = await gateway.call('brain_branch')
  assert.deepEqual([first.branch, first.created], ['idea/cli', true])
  const { atom } = await commit(gateway)
  await gateway.call('brain_checkout', { ref: 'main' })
  const again = await gateway.call('brain_branch')
  assert.deepEqual(again, { branch: 'idea/cli', created: false, head: atom.commit })
  assert.equal((await gateway.call('brain_branch', { slug: 's1', kind: 'session' })).branch, 'session/s1')
  await assert.rejects(gateway.call('brain_branch', { kind: 'main' }), refusal('BAD_REQUEST', 'kind'))
})

test('brain_checkout goes to main, session/* and idea/*, and refuses any other ref', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  for (const ref of ['main', 'session/one']) assert.equal((await gateway.call('brain_checkout', { ref })).branch, ref)
  for (const ref of ['refs/heads/main', 'HEAD', 'feature/x', '--help', 'session/../main', 'main@{1}', 'session/a/b', 'a'.repeat(40)])
    await assert.rejects(gateway.call('brain_checkout', { ref }), refusal('BAD_REQUEST', 'ref'))
  await assert.rejects(gateway.call('brain_checkout', { ref: 'session/none' }), { code: 'NOT_FOUND' })
})

test('a merge is no fast-forward; the session branch goes, namespaces are anchored, briefs are compiled', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const { atom } = await commit(gateway, { topic: 'billing', content: '# Invoices\n\nSent monthly.' })
  await commit(gateway, { kind: 'memory', slug: 'rule', content: '# A rule of all' })
  const merged = await gateway.call('brain_merge')
  assert.deepEqual(
    { ...merged, commit: '' },
    { branch: 'session/one', merged: true, commit: '', deleted: true, current: 'main', atoms: 2, namespaces: ['web'] },
  )
  assert.equal(plainGit(gateway, 'log', '-1', '--format=%P', 'main').trim().split(' ').length, 2)
  assert.equal(
    plainGit(gateway, 'for-each-ref', '--format=%(refname) %(objectname)').trim(),
    `refs/anchors/web ${merged.commit}\nrefs/heads/main ${merged.commit}`,
  )
  assert.match(plainGit(gateway, 'show', 'main:repos/web/BRIEF.md'), /Invoices/)
  assert.match(plainGit(gateway, 'show', 'main:repos/web/topics/billing.md'), /Sent monthly/)
  assert.match(plainGit(gateway, 'show', 'main:BRIEF.md'), /web: 1 atoms[\s\S]*A rule of all/)
  const status = await gateway.call('brain_status')
  assert.deepEqual(status.namespaces, [
    { namespace: 'web', hasBrief: true, hasWorking: false, atoms: { session: 1, handoff: 0 }, lastAnchor: merged.commit },
  ])
  assert.equal((await gateway.call('brain_search', { query: 'invoices' })).hits[0].atom.branch, 'main')
  assert.equal((await gateway.call('brain_search', { query: 'invoices' })).hits[0].atom.commit, atom.commit)
})

test('an idea branch stays after its merge, and can go on', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'x' })
  await commit(gateway)
  const merged = await gateway.call('brain_merge', { branch: 'idea/x' })
  assert.deepEqual([merged.deleted, merged.current], [false, 'idea/x'])
  assert.equal((await gateway.call('brain_status')).namespaces[0].hasWorking, false)
  await commit(gateway, { slug: 'more', content: 'more' })
  assert.equal((await gateway.call('brain_status')).namespaces[0].hasWorking, true)
  assert.equal((await gateway.call('brain_merge')).atoms, 1)
  assert.equal((await gateway.call('brain_status')).atoms.total, 2)
})

test('merging what main has already makes no commit; main itself, a ref of another kind or none is refused', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const before = plainGit(gateway, 'rev-parse', 'main')
  assert.deepEqual(await gateway.call('brain_merge'), {
    branch: 'session/one',
    merged: false,
    deleted: true,
    current: 'main',
    atoms: 0,
    namespaces: [],
  })
  assert.equal(plainGit(gateway, 'rev-parse', 'main'), before)
  await assert.rejects(gateway.call('brain_merge'), refusal('BAD_REQUEST', 'branch'))
  await assert.rejects(gateway.call('brain_merge', { branch: 'refs/heads/x' }), refusal('BAD_REQUEST', 'branch'))
  await assert.rejects(gateway.call('brain_merge', { branch: 'session/none' }), { code: 'NOT_FOUND' })
})

test('a conflict aborts the merge and nothing is changed', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'x' })
  // Only writers with their own git can create a conflict: atoms are never rewritten.
  const clone = await mkdtemp(join(tmpdir(), 'gateway-clone-'))
  try {
    gitIn(clone, 'clone', '-q', `${gateway.dataDir}/brains/local.git`, '.')
    for (const [branch, text] of [
      ['main', 'ours'],
      ['idea/x', 'theirs'],
    ] as const) {
      gitIn(clone, 'checkout', '-q', branch)
      await writeFile(join(clone, 'README.md'), text)
      gitIn(clone, 'commit', '-qam', text)
      gitIn(clone, 'push', '-q', 'origin', branch)
    }
  } finally {
    await rm(clone, { recursive: true })
  }
  const refs = plainGit(gateway, 'for-each-ref')
  await assert.rejects(gateway.call('brain_merge', { branch: 'idea/x' }), (error: { code?: string; details?: unknown }) => {
    assert.deepEqual([error.code, (error.details as { paths: string[] }).paths], ['MERGE_CONFLICT', ['README.md']])
    return true
  })
  assert.equal(plainGit(gateway, 'for-each-ref'), refs)
  assert.equal(plainGit(gateway, 'fsck', '--no-dangling'), '')
})

test('atoms of an open branch are seen on it and not from main', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'base', content: 'apples on main' })
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway, { slug: 'own', content: 'apples on the branch' })
  assert.equal((await gateway.call('brain_search', { query: 'apples' })).hits.length, 2)
  await gateway.call('brain_checkout', { ref: 'main' })
  assert.equal((await gateway.call('brain_search', { query: 'apples' })).hits.length, 1)
  assert.equal(files(gateway, 'session/one').length, 2)
})

test('what a merge leaves out is not in the index, whatever came and went on the branch', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway, { slug: 'gone', content: 'a medlar' })
  await gateway.call('brain_branch', { slug: 'x' })
  const away = await gateway.call('brain_revert', { sha: atom.commit })
  await gateway.call('brain_revert', { sha: away.commit })
  await gateway.call('brain_checkout', { ref: 'main' })
  gateway.clock.advance(60)
  await gateway.call('brain_revert', { sha: atom.commit })
  await gateway.call('brain_merge', { branch: 'idea/x' })
  assert.deepEqual(files(gateway), [])
  const known = async () => [
    (await gateway.call('brain_search', { query: 'medlar' })).hits.length,
    (await gateway.call('brain_status')).atoms.total,
  ]
  assert.deepEqual(await known(), [0, 0])
  await gateway.inject({ method: 'POST', url: '/api/brain/reindex', body: {} })
  assert.deepEqual(await known(), [0, 0])
})

test('what a merge of a git client leaves out is not in the index either', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'kept', content: 'a quince' })
  await gateway.call('brain_branch', { slug: 'x' })
  await commit(gateway, { slug: 'left', content: 'a quince' })
  await gateway.call('brain_checkout', { ref: 'main' })
  await commit(gateway, { slug: 'more', content: 'a quince' })
  const tree = plainGit(gateway, 'rev-parse', 'main^{tree}').trim()
  const merge = plainGit(gateway, 'commit-tree', tree, '-p', 'main', '-p', 'idea/x', '-m', 'ours').trim()
  plainGit(gateway, 'update-ref', 'refs/heads/main', merge)
  const { hits } = await gateway.call('brain_search', { query: 'quince' })
  assert.deepEqual(hits.map(({ atom }: { atom: { slug: string } }) => atom.slug).sort(), ['kept', 'more'])
  assert.equal((await gateway.call('brain_status')).atoms.total, 2)
})
