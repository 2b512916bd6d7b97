import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { commit, files, plainGit, start } from './support.ts'

test('brain_log: sha, date and subject, newest first; HEAD and 20 by default, cut at 200; by branch, commit and path', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('brain_log'), { commits: [] })
  const first = (await commit(gateway, { slug: 'first', content: 'first' })).atom
  await Promise.all(Array.from({ length: 22 }, (_, n) => commit(gateway, { slug: `s${n}`, content: `${n}`, repo: 'app' })))
  const { commits } = await gateway.call('brain_log')
  assert.equal(commits.length, 20)
  assert.deepEqual(Object.keys(commits[0]), ['sha', 'date', 'subject'])
  assert.deepEqual([commits[0].date, commits[0].subject.startsWith('session(app)')], ['2026-01-05T09:00:00.000Z', true])
  assert.equal((await gateway.call('brain_log', { limit: 100_000 })).commits.length, 24)
  assert.deepEqual(
    (await gateway.call('brain_log', { path: 'repos/web' })).commits.map((one: { sha: string }) => one.sha),
    [first.commit],
  )
  assert.equal((await gateway.call('brain_log', { ref: first.commit.slice(0, 10) })).commits.length, 2)
  assert.equal((await gateway.call('brain_log', { ref: 'main', limit: 1 })).commits.length, 1)
})

test('brain_diff: main to HEAD by default; files and shortstat; the patch is cut at 20,000 characters', async () => {
  await using gateway = await start()
  await commit(gateway)
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const { atom } = await commit(gateway, { slug: 'long', content: 'line\n'.repeat(6_000) })
  const diff = await gateway.call('brain_diff')
  assert.deepEqual(diff.files, [{ status: 'A', path: atom.path, insertions: 6_009, deletions: 0 }])
  assert.deepEqual(diff.shortstat, { filesChanged: 1, insertions: 6_009, deletions: 0 })
  assert.equal(diff.patch, undefined)
  const full = await gateway.call('brain_diff', { patch: true })
  assert.deepEqual([full.patch.length, full.patchTruncated], [20_000, true])
  assert.deepEqual((await gateway.call('brain_diff', { path: 'memory' })).files, [])
  assert.deepEqual((await gateway.call('brain_diff', { from: 'HEAD' })).shortstat.filesChanged, 0)
})

test('brain_delta: what main has since a commit: atoms, commits and compiled artifacts, within the budget', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('brain_delta'), {
    mode: 'brief',
    to: null,
    brief: '',
    atoms: [],
    commits: [],
    compiled: [],
    truncated: false,
  })
  await commit(gateway, { slug: 'seen', content: 'seen' })
  const since = (await gateway.call('brain_manifest')).freshnessSha
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const { atom } = await commit(gateway, { slug: 'fresh', content: 'fresh', topic: 'docs' })
  await commit(gateway, { slug: 'other', content: 'other', repo: 'app', topic: 'billing' })
  await gateway.call('brain_merge')
  const delta = await gateway.call('brain_delta', { since })
  assert.deepEqual([delta.mode, delta.from, delta.truncated], ['delta', since, false])
  assert.deepEqual(delta.atoms.map(({ title }: { title: string }) => title).sort(), ['fresh', 'other'])
  assert.equal(delta.commits.length, 3)
  assert.ok(delta.compiled.includes('repos/web/BRIEF.md') && delta.compiled.includes('repos/app/topics/billing.md'))
  assert.deepEqual((await gateway.call('brain_delta', { since: delta.to })).atoms, [])
  assert.deepEqual(
    (await gateway.call('brain_delta', { since, repo: 'web' })).atoms.map(({ path }: { path: string }) => path),
    [atom.path],
  )
  assert.deepEqual(
    (await gateway.call('brain_delta', { since, topic: 'billing' })).atoms.map(({ title }: { title: string }) => title),
    ['other'],
  )
  const commits = (await gateway.call('brain_delta', { since, repo: 'app' })).commits
  assert.deepEqual(
    commits.map(({ subject }: { subject: string }) => subject),
    ['session(app): other'],
  )
})

test('the budget of brain_delta is that of the whole answer, 3,200 characters by default; each part has its share', async () => {
  await using gateway = await start()
  await commit(gateway, { slug: 'seen', content: 'seen' })
  const since = (await gateway.call('brain_manifest')).freshnessSha
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await Promise.all(Array.from({ length: 60 }, (_, n) => commit(gateway, { slug: `s${n}`, content: `# Something of note ${n}` })))
  await gateway.call('brain_merge')
  for (const [asked, most] of [
    [{}, 3_200],
    [{ budget: 1_000 }, 1_000],
    [{ budget: 9_000 }, 9_000],
  ] as const) {
    const delta = await gateway.call('brain_delta', { since, ...asked })
    const characters = JSON.stringify(delta).length
    assert.ok(characters <= most && characters > most * 0.7, `${characters} of ${most}`)
    assert.ok(delta.atoms.length > 0 && delta.commits.length > 0 && delta.compiled.length > 0)
    assert.equal(delta.truncated, true)
  }
  const all = await gateway.call('brain_delta', { since, budget: 100_000 })
  assert.deepEqual([all.atoms.length, all.commits.length, all.truncated], [60, 61, false])
})

test('brain_delta without since: from the lastAnchor of the repo, else the compact boot brief', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway, { content: '# Old' })
  const merged = await gateway.call('brain_merge')
  const late = await commit(gateway, { slug: 'late', content: '# Late' })
  const delta = await gateway.call('brain_delta', { repo: 'web' })
  assert.deepEqual([delta.mode, delta.from, delta.atoms.length, delta.atoms[0].path], ['delta', merged.commit, 1, late.atom.path])
  const brief = await gateway.call('brain_delta', { budget: 100 })
  assert.equal(brief.mode, 'brief')
  assert.match(brief.brief, /web: 2 atoms/)
  assert.ok(brief.brief.length <= 100)
  assert.equal((await gateway.call('brain_delta', { repo: 'unknown' })).mode, 'brief')
})

test('brain_blame: a code commit, full or by 7 digits, to brain commits; a brain ref to the code commits recorded', async () => {
  await using gateway = await start()
  const sha = 'abcdef0123456789abcdef0123456789abcdef01'
  const { atom } = await commit(gateway, { slug: 'one', content: 'one', code_sha: sha, code_commits: ['1234567'] })
  await commit(gateway, { slug: 'two', content: 'two' })
  for (const code_sha of [sha, sha.slice(0, 7), sha.slice(0, 12).toUpperCase()]) {
    const { entries } = await gateway.call('brain_blame', { code_sha })
    assert.deepEqual(
      entries.map((one: { commit: string }) => one.commit),
      [atom.commit],
    )
  }
  assert.equal((await gateway.call('brain_blame', { code_sha: '1234567890' })).entries.length, 1, 'recorded by its short id')
  assert.deepEqual((await gateway.call('brain_blame', { code_sha: 'fffffff' })).entries, [])
  for (const args of [{}, { ref: 'HEAD' }, { ref: 'main', limit: 1 }, { ref: atom.commit }])
    assert.deepEqual((await gateway.call('brain_blame', args)).codeShas, [sha, '1234567'])
  await assert.rejects(gateway.call('brain_blame', { code_sha: sha, ref: 'HEAD' }), refusal('BAD_REQUEST', 'ref'))
  await assert.rejects(gateway.call('brain_blame', { code_sha: 'abcdef' }), refusal('BAD_REQUEST', 'code_sha'))
  await assert.rejects(gateway.call('brain_blame', { code_sha: 'HEAD~1xx' }), refusal('BAD_REQUEST', 'code_sha'))
})

test('brain_revert writes the inverse commit; twice changes nothing; the index follows', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway, { content: 'pears' })
  const reverted = await gateway.call('brain_revert', { sha: atom.commit.slice(0, 9) })
  assert.deepEqual([reverted.reverted, reverted.files], [atom.commit, [atom.path]])
  assert.deepEqual(files(gateway), [])
  assert.equal((await gateway.call('brain_search', { query: 'pears' })).hits.length, 0)
  assert.equal((await gateway.call('brain_revert', { sha: atom.commit })).commit, undefined)
  const back = await gateway.call('brain_revert', { sha: reverted.commit })
  assert.deepEqual([back.files, files(gateway)], [[atom.path], [atom.path]])
  assert.equal((await gateway.call('brain_search', { query: 'pears' })).hits.length, 1)
})

test('a merge is reverted against its first parent', async () => {
  await using gateway = await start()
  const kept = (await commit(gateway, { slug: 'kept', content: 'kept' })).atom
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway, { slug: 'a', content: 'a' })
  await commit(gateway, { slug: 'b', content: 'b' })
  const merged = await gateway.call('brain_merge')
  await gateway.call('brain_branch', { slug: 'two', kind: 'session' })
  await commit(gateway, { slug: 'c', content: 'c' })
  await gateway.call('brain_merge')
  const reverted = await gateway.call('brain_revert', { sha: merged.commit })
  assert.equal(reverted.files.length, 2)
  assert.deepEqual(
    files(gateway).map((path) => /-(\w+)-[0-9a-f]{8}/.exec(path)?.[1]),
    ['c', 'kept'],
  )
  assert.doesNotMatch(plainGit(gateway, 'show', 'main:repos/web/BRIEF.md'), / a\n/)
  assert.ok(files(gateway).includes(kept.path))
})

test('a revert that would conflict changes nothing; what is no commit of the branch is refused', async () => {
  await using gateway = await start()
  const { atom } = await commit(gateway)
  const pinned = await gateway.call('brain_pin', { ref: atom.sha8 })
  const unpinned = await gateway.call('brain_unpin', { ref: atom.sha8 })
  gateway.clock.advance(5)
  await gateway.call('brain_pin', { ref: atom.sha8 })
  const refs = plainGit(gateway, 'for-each-ref')
  await assert.rejects(gateway.call('brain_revert', { sha: unpinned.commit }), { code: 'REVERT_CONFLICT' })
  await assert.rejects(gateway.call('brain_revert', { sha: pinned.commit }), { code: 'REVERT_CONFLICT' })
  const root = plainGit(gateway, 'rev-list', '--max-parents=0', 'main').trim()
  await assert.rejects(gateway.call('brain_revert', { sha: root }), refusal('BAD_REQUEST', 'sha'))
  await assert.rejects(gateway.call('brain_revert', { sha: 'f'.repeat(40) }), { code: 'NOT_FOUND' })
  assert.equal(plainGit(gateway, 'for-each-ref'), refs)
})
