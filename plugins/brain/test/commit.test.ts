import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { commit, files, plainGit, start } from './support.ts'

test('an atom is one file with front matter in a commit of its own, as plain git shows it', async () => {
  await using gateway = await start()
  const { atom, branch, created } = await commit(gateway, { topic: 'docs', slug: 'first', content: '# Title\n\nBody: äöü' })
  assert.deepEqual([branch, created, atom.title, atom.topic, atom.repo], ['main', true, 'Title', 'docs', 'web'])
  assert.deepEqual(files(gateway), [atom.path])
  assert.match(atom.path, /^repos\/web\/session\/20260105\/20260105T090000Z-first-[0-9a-f]{8}\.md$/)
  assert.match(plainGit(gateway, 'rev-parse', `main:${atom.path}`), new RegExp(`^${atom.sha8}`))
  assert.equal(
    plainGit(gateway, 'show', `main:${atom.path}`),
    '---\nkind: session\nrepo: web\nslug: first\ntopic: docs\ncreated: "2026-01-05T09:00:00.000Z"\nauthor: operator\n---\n\n# Title\n\nBody: äöü',
  )
  assert.equal(plainGit(gateway, 'log', '-1', '--format=%H %s', 'main').trim(), `${atom.commit} session(web): first`)
  assert.equal(plainGit(gateway, 'fsck', '--strict'), '')
})

test('repo is required for session and handoff, and memory takes none', async () => {
  await using gateway = await start()
  for (const kind of ['session', 'handoff'])
    await assert.rejects(commit(gateway, { kind, repo: undefined }), refusal('BAD_REQUEST', 'repo'))
  await assert.rejects(commit(gateway, { kind: 'memory', repo: 'web' }), refusal('BAD_REQUEST', 'repo'))
  await assert.rejects(commit(gateway, { kind: 'note' }), refusal('BAD_REQUEST', 'kind'))
  assert.match((await commit(gateway, { kind: 'memory' })).atom.path, /^memory\/20260105\//)
})

test('an identical re-write is a no-op, also at the same moment', async () => {
  await using gateway = await start()
  const results = await Promise.all([commit(gateway), commit(gateway), commit(gateway)])
  assert.equal(results.filter(({ created }) => created).length, 1)
  assert.equal(new Set(results.map(({ atom }) => atom.path)).size, 1)
  gateway.clock.advance(60)
  assert.equal((await commit(gateway)).created, false)
  assert.equal(files(gateway).length, 1)
})

test('changed content is a new atom and the old one stays; what was said before may be said again', async () => {
  await using gateway = await start()
  for (const content of ['one', 'two', 'one']) assert.equal((await commit(gateway, { content })).created, true)
  assert.equal(files(gateway).length, 3)
})

test('a missing topic becomes general and warns; topics outside the list are taken', async () => {
  await using gateway = await start()
  const { atom, lint } = await commit(gateway)
  assert.equal(atom.topic, 'general')
  assert.match(lint.warnings.join(), /topic/i)
  const other = await commit(gateway, { slug: 'other', topic: 'beekeeping' })
  assert.equal(other.atom.topic, 'beekeeping')
  assert.doesNotMatch(other.lint.warnings.join(), /topic/i)
})

test('a session atom is linted and never stopped by it; other kinds are not', async () => {
  await using gateway = await start()
  const poor = await commit(gateway, { content: 'x', topic: 'docs' })
  assert.ok(poor.created)
  assert.equal(poor.lint.warnings.length, 3)
  assert.deepEqual((await commit(gateway, { kind: 'handoff', content: 'x', topic: 'docs' })).lint.warnings, [])
  const secret = await commit(gateway, {
    slug: 's',
    kind: 'handoff',
    topic: 'docs',
    content: 'token: ghp_0123456789abcdefghijABCDEFGHIJ012345',
  })
  assert.match(secret.lint.warnings.join(), /secret/)
})

test('supersedes takes a slug or a sha8, and refuses what names no atom', async () => {
  await using gateway = await start()
  const old = (await commit(gateway, { slug: 'old', content: 'old' })).atom
  const bySlug = (await commit(gateway, { slug: 'new', content: 'new', supersedes: 'old' })).atom
  assert.equal(bySlug.supersedes, old.path)
  const bySha = (await commit(gateway, { slug: 'newer', content: 'newer', supersedes: bySlug.sha8 })).atom
  assert.equal(bySha.supersedes, bySlug.path)
  const { hits } = await gateway.call('brain_search', { query: 'old' })
  assert.equal(hits[0].atom.superseded, true)
  await assert.rejects(commit(gateway, { slug: 'x', supersedes: 'nothing' }), refusal('BAD_REQUEST', 'supersedes'))
})

test('an atom stays replaced while one of those that replace it stands', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'old', content: 'old' })
  const [one, two] = [
    (await commit(gateway, { slug: 'one', content: 'new', supersedes: 'old' })).atom,
    (await commit(gateway, { slug: 'two', content: 'newer', supersedes: 'old' })).atom,
  ]
  const superseded = async () => (await gateway.call('brain_search', { query: 'old' })).hits[0].atom.superseded
  await gateway.call('brain_revert', { sha: one.commit })
  assert.equal(await superseded(), true)
  await gateway.call('brain_revert', { sha: two.commit })
  assert.equal(await superseded(), undefined)
})

test('pin marks the new atom never-drop, with it', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway, { pin: true })
  assert.equal(atom.pinned, true)
  assert.deepEqual(files(gateway), [`pins/${atom.path}`, atom.path])
  assert.equal((await gateway.call('brain_explore', { sections: [] })).atoms[0].pinned, true)
})

test('many callers at once: each atom is a commit of its own and none is lost', async () => {
  await using gateway = await start()
  const all = await Promise.all(Array.from({ length: 60 }, (_, n) => commit(gateway, { slug: `s${n}`, content: `atom ${n}` })))
  assert.equal(new Set(all.map(({ atom }) => atom.commit)).size, 60)
  assert.equal(files(gateway).length, 60)
  assert.equal(plainGit(gateway, 'rev-list', '--count', 'main').trim(), '61')
  assert.equal((await gateway.call('brain_status')).atoms.total, 60)
})

test('one bad draft in a batch is refused alone', async () => {
  await using gateway = await start()
  await commit(gateway)
  const [good, bad, other] = await Promise.allSettled([
    commit(gateway, { slug: 'a' }),
    commit(gateway, { slug: 'b', supersedes: 'none' }),
    commit(gateway, { slug: 'c' }),
  ])
  assert.deepEqual([good.status, bad.status, other.status], ['fulfilled', 'rejected', 'fulfilled'])
})

test('tenants have brains of their own', async () => {
  await using gateway = await start()
  const as = { tenantId: 'acme', id: 'u', kind: 'user', role: 'owner' } as const
  await commit(gateway, { content: 'ours alone' })
  assert.equal((await gateway.call('brain_status', {}, { as })).exists, false)
  await commit(gateway, { content: 'theirs' }, { as })
  assert.equal((await gateway.call('brain_search', { query: 'ours' }, { as })).hits.length, 0)
  assert.equal((await gateway.call('brain_status', {}, { as })).location, 'brains/acme.git')
})

test('a commit is told of after it is durable', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway)
  assert.equal((await gateway.audit()).at(-1)?.tool ?? 'brain_commit', 'brain_commit')
  assert.ok(plainGit(gateway, 'cat-file', '-e', atom.commit) === '')
})

test('an atom of 2,000,000 characters fits into a request, and what is longer is refused by its name', async () => {
  await using gateway = await start({ listen: true })
  const send = (content: string) =>
    fetch(`${gateway.url}/api/tools/brain_commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'memory', slug: 'long', content }),
    })
  const long = await send('x'.repeat(2_000_000))
  assert.equal(long.status, 200, await long.text())
  const longer = await send('x'.repeat(2_000_001))
  assert.equal(longer.status, 400)
  assert.match(await longer.text(), /content/)
})
