import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Conflict, contribute, definePlugin } from '@gateway/sdk'
import { brainWriteGate } from '../src/api.ts'
import { commit, files, gitIn, plainGit, start, type TestGateway } from './support.ts'

/** Commits to a session branch and merges it, so that the briefs are compiled. */
async function merged(gateway: TestGateway, slug: string, ...atoms: readonly Record<string, unknown>[]) {
  await gateway.call('brain_branch', { slug, kind: 'session' })
  const made = []
  for (const args of atoms) made.push((await commit(gateway, args)).atom)
  const { commit: sha } = await gateway.call('brain_merge')
  return { sha, atoms: made }
}

const compiled = (gateway: TestGateway): string[] =>
  plainGit(gateway, 'ls-tree', '-r', '--name-only', 'main')
    .split('\n')
    .filter((path) => /BRIEF\.md$|\/topics\//.test(path))

const allOf = (gateway: TestGateway): string => plainGit(gateway, 'archive', '--format=tar', 'main')

const forget = (gateway: TestGateway, query: string) => gateway.call('memory_forget', { query })

test('the section of a topic goes with its last atom, and the brief with the last of its repo', async () => {
  await using gateway = await start()
  await merged(
    gateway,
    'one',
    { slug: 'leak', topic: 'security', content: '# Leak\n\nThe marmoset password was public.' },
    { slug: 'bill', topic: 'billing', content: '# Bills\n\nSent monthly to the ocelot.' },
  )
  assert.deepEqual(compiled(gateway), ['BRIEF.md', 'repos/web/BRIEF.md', 'repos/web/topics/billing.md', 'repos/web/topics/security.md'])
  assert.deepEqual(await forget(gateway, 'marmoset'), { forgotten: 1 })
  assert.deepEqual(compiled(gateway), ['BRIEF.md', 'repos/web/BRIEF.md', 'repos/web/topics/billing.md'])
  assert.doesNotMatch(plainGit(gateway, 'show', 'main:repos/web/BRIEF.md'), /security|Leak/)
  assert.match(plainGit(gateway, 'show', 'main:BRIEF.md'), /web: 1 atoms/)
  assert.deepEqual(await forget(gateway, 'ocelot'), { forgotten: 1 })
  assert.deepEqual(compiled(gateway), ['BRIEF.md'])
  assert.doesNotMatch(allOf(gateway), /marmoset|ocelot|Leak|Bills/)
})

test('the section of a topic beyond the limit loses the lines of a forgotten atom', async () => {
  await using gateway = await start()
  await merged(
    gateway,
    'one',
    { slug: 'old', topic: 'zoo', content: '# Old\n\nThe marmoset sleeps.' },
    { slug: 'kept', topic: 'zoo', content: '# Kept\n\nThe ocelot sleeps.' },
    { slug: 'last', topic: 'zulu', content: '# Last\n\nThe okapi sleeps.' },
  )
  const topics = Array.from({ length: 41 }, (_, n) => ({ slug: `s${n}`, topic: `t${10 + n}`, content: `# Number ${n}\n\nText ${n}.` }))
  await merged(gateway, 'two', ...topics)
  await forget(gateway, 'marmoset')
  await forget(gateway, 'okapi')
  assert.match(plainGit(gateway, 'show', 'main:repos/web/topics/zoo.md'), /ocelot/)
  assert.doesNotMatch(allOf(gateway), /marmoset|okapi/)
})

test('a reverted merge takes its sections and its brief along', async () => {
  await using gateway = await start()
  const { sha } = await merged(gateway, 'one', { topic: 'security', content: '# Leak\n\nThe marmoset password was public.' })
  await gateway.call('brain_revert', { sha })
  assert.deepEqual(compiled(gateway), ['BRIEF.md'])
  assert.doesNotMatch(allOf(gateway), /marmoset/)
})

test('the predecessor of a forgotten atom is in the brief again', async () => {
  await using gateway = await start()
  await merged(gateway, 'one', { slug: 'first', content: '# First\n\nThe ocelot sleeps.' })
  await merged(gateway, 'two', { slug: 'second', content: '# Second\n\nThe marmoset sleeps.', supersedes: 'first' })
  assert.doesNotMatch(plainGit(gateway, 'show', 'main:repos/web/BRIEF.md'), /First/)
  await forget(gateway, 'marmoset')
  assert.match(plainGit(gateway, 'show', 'main:repos/web/BRIEF.md'), /First/)
})

test('a full brain can be forgotten from, with the pins of what goes', async () => {
  let isFull = false
  const quota = definePlugin({
    id: 'quota',
    sdk: '^1.0.0',
    description: 'Refuses all writes once the brain is full.',
    contributes: [
      contribute(brainWriteGate, {
        create: () => ({
          async check() {
            if (isFull) throw Conflict({ message: 'full' })
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [quota] })
  await merged(gateway, 'one', { content: '# Leak\n\nThe marmoset password was public.', pin: true })
  assert.equal(files(gateway).length, 2)
  isFull = true
  await assert.rejects(commit(gateway, { slug: 'more' }), { code: 'CONFLICT' })
  assert.deepEqual(await forget(gateway, 'marmoset'), { forgotten: 1 })
  assert.deepEqual(files(gateway), [])
})

test('a call that fails is repeated until all is forgotten', async () => {
  await using gateway = await start()
  await merged(gateway, 'one', { slug: 'leak', content: '# Leak\n\nThe marmoset password was public.' })
  await gateway.call('brain_branch', { slug: 'try' })
  await commit(gateway, { slug: 'again', content: '# Again\n\nThe marmoset password changed.' })
  const lock = `${gateway.dataDir}/brains/local.git/refs/heads/main.lock`
  await writeFile(lock, '')
  await assert.rejects(forget(gateway, 'marmoset'))
  await rm(lock)
  assert.deepEqual(await forget(gateway, 'marmoset'), { forgotten: 1 })
  assert.deepEqual([files(gateway), files(gateway, 'idea/try')], [[], []])
  await gateway.call('brain.reindex')
  assert.equal((await gateway.call('brain_search', { query: 'marmoset' })).hits.length, 0)
})

test('a revert does not bring a forgotten atom back, nor its pin', async () => {
  await using gateway = await start()
  await merged(gateway, 'one', { slug: 'leak', content: '# Leak\n\nThe marmoset password was public.', pin: true })
  await forget(gateway, 'marmoset')
  const sha = plainGit(gateway, 'rev-parse', 'main').trim()
  const reverted = await gateway.call('brain_revert', { sha })
  assert.deepEqual([reverted.files, reverted.commit, files(gateway)], [[], undefined, []])
})

test('the file of a forgotten atom that a push brought back is forgotten by its path', async (t) => {
  await using gateway = await start()
  const { atoms } = await merged(gateway, 'one', { slug: 'leak', content: '# Leak\n\nThe marmoset password was public.' })
  await forget(gateway, 'marmoset')
  const clone = await mkdtemp(join(tmpdir(), 'gateway-forget-'))
  t.after(() => rm(clone, { recursive: true }))
  gitIn(clone, 'clone', '-q', `${gateway.dataDir}/brains/local.git`, '.')
  gitIn(clone, 'revert', '--no-edit', 'HEAD')
  gitIn(clone, 'push', '-q', 'origin', 'HEAD:main')
  assert.deepEqual(files(gateway), [atoms[0]?.path])
  const url = `/api/memory/${encodeURIComponent(atoms[0]?.path ?? '')}`
  assert.deepEqual((await gateway.inject({ method: 'DELETE', url })).json(), { forgotten: 1 })
  assert.deepEqual(files(gateway), [])
  assert.doesNotMatch(allOf(gateway), /marmoset/)
  assert.equal((await gateway.inject({ method: 'DELETE', url })).status, 404)
})
