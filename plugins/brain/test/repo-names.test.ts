import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { refusal } from '@gateway/testing'
import fc from 'fast-check'
import { isRepo } from '../src/rules/names.ts'
import { isHashed, repoOf, segmentOf } from '../src/rules/repo-segment.ts'
import { commit, plainGit, start, type TestGateway } from './support.ts'

const NAMES = [
  'web',
  'my repo',
  'größe',
  'org.name-',
  'a..b',
  'x.lock',
  'x.git',
  'lead',
  'a%20b',
  '@scope',
  'c:d~e^f',
  'n'.repeat(200),
  '日本語'.repeat(30),
]

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

const manifest = async () =>
  (await gateway.call('brain_manifest')).namespaces as { namespace: string; hasBrief: boolean; lastAnchor?: string }[]

test('a repo of any name has atoms, a brief and an anchor of its own, and is found by its name', async () => {
  for (const repo of NAMES) {
    await gateway.call('brain_branch', { slug: 'work', kind: 'session' })
    const { atom } = await commit(gateway, { repo, slug: 'about', content: `# About it\n\n${'Done because of tests. '.repeat(5)}` })
    assert.equal(atom.repo, repo)
    const merged = await gateway.call('brain_merge')
    assert.deepEqual(merged.namespaces, [repo])
    const { hits } = await gateway.call('brain_search', { query: 'about', repo })
    assert.deepEqual(
      hits.map(({ atom }: { atom: { path: string } }) => atom.path),
      [atom.path],
      repo,
    )
    const since = plainGit(gateway, 'rev-parse', 'main~1').trim()
    const delta = await gateway.call('brain_delta', { repo, since })
    assert.equal(delta.atoms[0].path, atom.path)
    await gateway.call('brain_lookup', { repo })
    await gateway.call('brain_stash', { slug: 'kept', repo, content: 'x' })
    assert.equal((await gateway.call('brain_pop', { slug: 'kept' })).repo, repo)
  }
  const found = await manifest()
  assert.deepEqual(found.map(({ namespace }) => namespace).sort(), [...NAMES].sort())
  assert.ok(found.every(({ hasBrief, lastAnchor }) => hasBrief && lastAnchor !== undefined))
  assert.equal(plainGit(gateway, 'fsck', '--strict', '--no-dangling'), '')
})

test('an index that is made anew knows the same names', async () => {
  const reindexed = await gateway.inject({ method: 'POST', url: '/api/brain/reindex' })
  assert.equal(reindexed.status, 200, reindexed.body)
  assert.deepEqual((await manifest()).map(({ namespace }) => namespace).sort(), [...NAMES].sort())
})

test('what is the name of no repo anywhere is refused by its field', async () => {
  for (const repo of ['a/b', '..', '-x', 'a\\b', 'a\nb', 'twi\u200bn', '\ud800', 'n'.repeat(201), ''])
    await assert.rejects(commit(gateway, { repo }), refusal('BAD_REQUEST', 'repo'), JSON.stringify(repo))
})

test('a name and its segment belong to each other, and a segment is a part of a path and of a ref', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter(isRepo)
  fc.assert(
    fc.property(name, name, (one, other) => {
      const segment = segmentOf(one)
      assert.match(segment, /^[A-Za-z0-9_%](?:[A-Za-z0-9._%-]{0,178}[A-Za-z0-9_%])?$/)
      assert.ok(isHashed(segment) || repoOf(segment) === one)
      assert.equal(segmentOf(other) === segment, one === other)
    }),
    { numRuns: 300 },
  )
})
