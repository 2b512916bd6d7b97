import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { test } from 'node:test'
import type { Oid } from '../src/api.ts'
import { HelperProcess } from '../src/operations/helper-process.ts'
import { repositoryAt } from '../src/operations/repository.ts'
import { commit, folder, git, MAIN, repository, settings } from './support.ts'

async function tip(repo: ReturnType<typeof repositoryAt>, ref = MAIN): Promise<Oid> {
  const [oid] = await repo.tips([ref])
  assert.ok(oid)
  return oid
}

test('nothing is started or made by looking whether a repository is there', async (t) => {
  const helper = new HelperProcess(settings)
  const repo = repositoryAt(`${await folder(t)}/none.git`, helper)
  assert.equal(await repo.exists(), false)
  assert.deepEqual(await repo.usage(), { bytes: 0, packs: 0 })
  assert.equal(helper.pid, undefined)
})

test('commits of one write are one commit each, in order, as plain git shows them', async (t) => {
  const { repo, git } = await repository(t)
  const before = await tip(repo)
  const written = await repo.write({
    commits: [commit('one', { 'a/one.md': '1\n' }), commit('two', { 'a/two.md': '2\n' })],
    tips: new Map([[MAIN, before]]),
  })
  assert.ok(written.written)
  assert.equal(git('log', '--format=%s %an', 'main'), 'two Ada\none Ada\nbegin Ada\n')
  assert.equal(written.commits[1], await tip(repo))
  assert.equal(git('show', 'main:a/two.md'), '2\n')
  assert.equal(git('fsck', '--strict', '--full'), '')
  assert.equal(git('for-each-ref', '--format=%(refname)'), 'refs/heads/main\n')
  assert.deepEqual(await repo.check(), [])
})

test('a write decided on an older tip changes nothing', async (t) => {
  const { repo } = await repository(t)
  const before = await tip(repo)
  const tips = new Map([[MAIN, before]])
  await repo.write({ commits: [commit('first', { 'a.md': 'a' })], tips })
  const after = await tip(repo)
  const { packs } = await repo.usage()
  assert.deepEqual(await repo.write({ commits: [commit('late', { 'b.md': 'b' })], tips }), { written: false })
  assert.equal((await repo.usage()).packs, packs, 'no objects are written for it')
  assert.equal(await tip(repo), after)
  const again = await repo.write({ commits: [commit('now', { 'b.md': 'b' })], tips: new Map([[MAIN, after]]) })
  assert.ok(again.written, 'and the next write goes on')
})

test('refs of one write move together or not at all', async (t) => {
  const { repo } = await repository(t)
  const main = await tip(repo)
  const [session, anchor] = ['refs/heads/session/one', 'refs/anchors/web']
  const make = { ref: session, from: undefined, to: main }
  assert.ok((await repo.write({ commits: [], tips: new Map(), refs: [make] })).written)
  assert.deepEqual(await repo.write({ commits: [], tips: new Map(), refs: [{ ref: anchor, from: undefined, to: main }, make] }), {
    written: false,
  })
  assert.deepEqual(await repo.tips([anchor, session]), [undefined, main])
  const written = await repo.write({
    commits: [commit('all', { 'x.md': 'x' })],
    tips: new Map([[MAIN, main]]),
    refs: [
      { ref: anchor, from: undefined, to: { commit: 0 } },
      { ref: session, from: main, to: undefined },
    ],
  })
  assert.ok(written.written)
  assert.deepEqual(await repo.tips([anchor, session, MAIN]), [written.commits[0], undefined, written.commits[0]])
  assert.equal((await repo.refs()).length, 2)
})

test('a merge has both parents, and its tree is the one that was worked out', async (t) => {
  const { repo, git } = await repository(t)
  const main = await tip(repo)
  const side = 'refs/heads/session/side'
  const forked = new Map([[MAIN, main]])
  await repo.write({ commits: [], tips: new Map(), refs: [{ ref: side, from: undefined, to: main }] })
  await repo.write({ commits: [commit('here', { 'here.md': 'h' })], tips: forked })
  await repo.write({ commits: [commit('there', { 'there.md': 't' }, side)], tips: new Map([[side, main]]) })
  const [ours, theirs] = [await tip(repo), await tip(repo, side)]
  const merged = await repo.mergeTree(ours, theirs)
  assert.ok(merged.clean)
  const written = await repo.write({
    commits: [{ ...commit('merge', { 'brief.md': 'b' }), tree: merged.tree, merges: theirs }],
    tips: new Map([[MAIN, ours]]),
  })
  assert.ok(written.written)
  assert.equal(git('log', '-1', '--format=%P', 'main').trim(), `${ours} ${theirs}`)
  assert.equal(git('ls-tree', '-r', '--name-only', 'main'), 'README.md\nbrief.md\nhere.md\nthere.md\n')
  assert.equal(await repo.isAncestor(theirs, written.commits[0] as string), true)
  assert.deepEqual(
    (await repo.changed(written.commits[0] as string)).map(({ path }) => path),
    ['brief.md', 'there.md'],
  )
})

test('two sides that changed one file differently are a conflict that names it', async (t) => {
  const { repo } = await repository(t)
  const main = await tip(repo)
  const side = 'refs/heads/idea/side'
  await repo.write({ commits: [], tips: new Map(), refs: [{ ref: side, from: undefined, to: main }] })
  await repo.write({ commits: [commit('here', { 'README.md': 'h' })], tips: new Map([[MAIN, main]]) })
  await repo.write({ commits: [commit('there', { 'README.md': 't' }, side)], tips: new Map([[side, main]]) })
  assert.deepEqual(await repo.mergeTree(await tip(repo), await tip(repo, side)), { clean: false, conflicts: ['README.md'] })
})

test('what is read: files, blobs, log, changes, history, diff, lists, entries', async (t) => {
  const { repo } = await repository(t)
  const begin = await tip(repo)
  await repo.write({
    commits: [
      commit('one\n\nmore', { 'a/one.md': 'äöü\n' }),
      commit('two', { 'a/two.md': '2\n', 'README.md': 'bye\n' }),
      commit('three', { 'a/one.md': undefined }),
    ],
    tips: new Map([[MAIN, begin]]),
  })
  const end = await tip(repo)
  const log = await repo.log({ to: end, limit: 10 })
  assert.deepEqual(
    log.map(({ subject }) => subject),
    ['three', 'two', 'one', 'begin'],
  )
  assert.equal(log[0]?.at, '2026-01-05T09:00:00.000Z')
  assert.deepEqual(
    (await repo.log({ to: end, from: begin, path: 'a/one.md', limit: 10 })).map(({ subject }) => subject),
    ['three', 'one'],
  )
  const seen = []
  for await (const piece of repo.history({ to: end })) seen.push(...piece)
  assert.deepEqual(
    seen.map(({ subject, changes }) => [subject, changes.map(({ status, path }) => `${status} ${path}`)]),
    [
      ['begin', ['A README.md']],
      ['one', ['A a/one.md']],
      ['two', ['M README.md', 'A a/two.md']],
      ['three', ['D a/one.md']],
    ],
  )
  assert.deepEqual([...(await repo.changes({ to: end, limit: 4 }))].reverse(), seen)
  const one = log[2]?.sha as string
  assert.equal(await repo.file(one, 'a/one.md'), 'äöü\n')
  assert.equal(await repo.file(end, 'a/one.md'), undefined)
  const blob = seen[1]?.changes[0]?.blob as string
  assert.deepEqual(await repo.blobs([blob, '0'.repeat(40), blob], 2), ['ä', undefined, 'ä'])
  assert.deepEqual(await repo.entries(one, ['a/one.md', 'a/none.md']), [blob, undefined])
  assert.deepEqual(await repo.list(end, 'a', 10), ['a/two.md'])
  const diff = await repo.diff({ from: begin, to: end, patchCharacters: 20, maxFiles: 1 })
  assert.deepEqual(
    { ...diff, patch: diff.patch?.length },
    {
      files: [{ status: 'M', path: 'README.md', insertions: 1, deletions: 1 }],
      filesChanged: 2,
      insertions: 2,
      deletions: 1,
      patch: 20,
      patchTruncated: true,
    },
  )
  assert.equal(await repo.commit(end.slice(0, 10)), end)
  assert.equal(await repo.commit(blob), undefined)
  assert.equal(await repo.commit('HEAD'), undefined)
})

test('many imports become few packs, and everything is still there', async (t) => {
  const { repo, git } = await repository(t)
  for (let n = 0; n < 60; n++)
    await repo.write({ commits: [commit(`n${n}`, { [`a/${n}.md`]: `${n}` })], tips: new Map([[MAIN, await tip(repo)]]) })
  for (let n = 0; n < 5; n++)
    await repo.write({ commits: [commit(`m${n}`, { [`b/${n}.md`]: `${n}` })], tips: new Map([[MAIN, await tip(repo)]]) })
  assert.ok((await repo.usage()).packs < 62)
  assert.equal(git('rev-list', '--count', 'main'), '66\n')
  assert.deepEqual(await repo.check(), [])
})

test('a repository that is removed is gone', async (t) => {
  const { repo, at } = await repository(t)
  await repo.remove()
  await assert.rejects(access(at))
  assert.deepEqual(await repo.exists(), false)
})

test('the helper runs none of the machine’s hooks and configuration, and no variable of the gateway reaches git', async (t) => {
  process.env.GIT_DIR = '/nonexistent'
  process.env.GIT_INDEX_FILE = '/nonexistent'
  t.after(() => {
    delete process.env.GIT_DIR
    delete process.env.GIT_INDEX_FILE
  })
  const { repo, at } = await repository(t)
  assert.equal(await repo.file(await tip(repo), 'README.md'), 'hello\n')
  assert.equal(git(at, 'config', 'core.fsync').trim(), 'all')
})

test('a graph has the commits of several tips, and with a path those that change it, joined to each other', async (t) => {
  const { repo } = await repository(t)
  const root = await tip(repo)
  const side = 'refs/heads/session/one'
  const first = await repo.write({
    commits: [commit('a', { 'a/one.md': '1\n' }), commit('b', { 'b/one.md': '1\n' }), commit('c', { 'a/two.md': '2\n' })],
    tips: new Map([[MAIN, root]]),
    refs: [{ ref: side, from: undefined, to: root }],
  })
  const second = await repo.write({ commits: [commit('d', { 'a/three.md': '3\n' }, side)], tips: new Map([[side, root]]) })
  assert.ok(first.written && second.written)
  const [a, b, c] = first.commits as [Oid, Oid, Oid]
  const [d] = second.commits as [Oid]
  const graph = async (path?: string): Promise<Readonly<Record<Oid, readonly Oid[]>>> =>
    Object.fromEntries((await repo.graph({ tips: [c, d], path, limit: 10 })).map(({ sha, parents }) => [sha, parents]))
  assert.deepEqual(await graph(), { [c]: [b], [b]: [a], [a]: [root], [d]: [root], [root]: [] })
  assert.deepEqual(await graph('a'), { [c]: [a], [a]: [], [d]: [] })
  assert.equal((await repo.graph({ tips: [c, d], limit: 2 })).length, 2)
  await assert.rejects(repo.graph({ tips: [c, '--all'], limit: 2 }))
})
