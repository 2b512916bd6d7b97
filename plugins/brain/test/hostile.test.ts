import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAtom, renderAtom } from '../src/rules/atom-file.ts'
import { entitiesOf } from '../src/rules/entities.ts'
import { isBranch } from '../src/rules/names.ts'
import { commit, files, plainGit, start } from './support.ts'

const RUNS = Number(process.env.FUZZ ?? 60)

const NASTY = [
  '--help',
  '-rf',
  '--upload-pack=touch /tmp/gateway-brain-owned',
  '../../etc/passwd',
  '..',
  '.',
  '.git',
  'a..b',
  'a.lock',
  'HEAD',
  'main',
  '@{-1}',
  'HEAD~1',
  ':/fix',
  ':(top)x',
  'main:README.md',
  'a\nb',
  'a\0b',
  'a b',
  '/etc',
  'refs/heads/main',
  '^main',
  '*',
  '?',
  '[a]',
  '~',
  '$(id)',
  '`id`',
  ';id',
  '|id',
  '"',
  "'",
  '\\',
  '%2e%2e',
  'é',
  '\u202e',
  '',
  'deleteall',
  'commit refs/heads/main',
  'data <<EOF',
  '0000000',
  'f'.repeat(40),
  'a'.repeat(81),
]
const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.tuple(fc.constantFrom(...NASTY), fc.constantFrom(...NASTY)).map((two) => two.join('')),
)
/** Errors that a caller may see; any other is a bug. */
const NAMED = new Set(['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT', 'REVERT_CONFLICT', 'MERGE_CONFLICT'])

test('hostile slugs, refs, topics, ids and paths get a named error or do what they say, and nothing is written elsewhere', async () => {
  await using gateway = await start()
  await commit(gateway)
  const before = readdirSync(gateway.dataDir).sort()
  const calls = fc.constantFrom(
    (text: string) => ['brain_commit', { kind: 'session', repo: text, slug: 'x', content: 'c' }],
    (text: string) => ['brain_commit', { kind: 'session', repo: 'web', slug: text, content: 'c' }],
    (text: string) => ['brain_commit', { kind: 'memory', slug: 'x', content: 'c', topic: text }],
    (text: string) => ['brain_commit', { kind: 'memory', slug: 'x', content: 'c', supersedes: text }],
    (text: string) => ['brain_commit', { kind: 'memory', slug: 'x', content: 'c', code_sha: text }],
    (text: string) => ['brain_stash', { slug: text, content: 'c' }],
    (text: string) => ['brain_pop', { slug: text }],
    (text: string) => ['brain_pin', { ref: text }],
    (text: string) => ['brain_branch', { slug: text }],
    (text: string) => ['brain_checkout', { ref: text }],
    (text: string) => ['brain_merge', { branch: text }],
    (text: string) => ['brain_log', { ref: text }],
    (text: string) => ['brain_log', { path: text }],
    (text: string) => ['brain_diff', { from: text, patch: true }],
    (text: string) => ['brain_diff', { path: text }],
    (text: string) => ['brain_delta', { since: text }],
    (text: string) => ['brain_delta', { repo: text }],
    (text: string) => ['brain_blame', { ref: text }],
    (text: string) => ['brain_blame', { code_sha: text }],
    (text: string) => ['brain_revert', { sha: text }],
    (text: string) => ['brain_search', { query: text }],
    (text: string) => ['brain_lookup', { repo: text, query: text }],
    (text: string) => ['brain_timeline', { entity: text }],
  )
  await fc.assert(
    fc.asyncProperty(calls, nasty, async (make, text) => {
      const [tool, args] = make(text) as [string, object]
      await gateway.call(tool, args).catch((error: { code?: string; message?: string }) => {
        assert.ok(NAMED.has(error.code ?? ''), `${tool} ${JSON.stringify(args)}: ${error.code} ${error.message}`)
      })
    }),
    { numRuns: RUNS },
  )
  assert.deepEqual(readdirSync(gateway.dataDir).sort(), before)
  assert.deepEqual(readdirSync(`${gateway.dataDir}/brains`), ['local.git'])
  assert.ok(!existsSync('/tmp/gateway-brain-owned'))
  assert.equal(plainGit(gateway, 'fsck', '--strict', '--no-dangling'), '')
  const branches = plainGit(gateway, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n')
  assert.ok(branches.every(isBranch))
  assert.ok(files(gateway).every((path) => /^(repos|memory|stash|pins)\//.test(path)))
})

test('any content is kept as it is, whatever it looks like to git', async () => {
  await using gateway = await start()
  const contents = [
    '---\nkind: handoff\n---\nx',
    'data 3\nabc\ncommit refs/heads/main\n',
    '\u0000\u0001\r\n',
    'from :1\nD README.md\ndone\n',
    '\u{1f600}\ud7ff',
    'x'.repeat(300_000),
  ]
  for (const [n, content] of contents.entries()) {
    const { atom } = await commit(gateway, { slug: `c${n}`, content })
    const text = plainGit(gateway, 'show', `main:${atom.path}`)
    assert.equal(parseAtom(text).content, content)
  }
  assert.equal(plainGit(gateway, 'fsck', '--strict'), '')
})

test('what is rendered is parsed as it was', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => Buffer.from(one).toString() === one && one !== '')
  fc.assert(
    fc.property(text, text, fc.array(text, { minLength: 1, maxLength: 3 }), text, (topic, repo, commits, content) => {
      const front = { kind: 'session', repo, topic, code_commits: commits }
      assert.deepEqual(parseAtom(renderAtom(front, `x${content}`)), { front, content: `x${content}` })
    }),
  )
})

test('entities are found in linear time', () => {
  for (const bit of ['a/', '@', 'a.', '-', 'Decision: ', '#a', 'feature:', ' \t>*-', '/.'])
    assert.ok(entitiesOf(bit.repeat(200_000), []).length <= 60)
})
