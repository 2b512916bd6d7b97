import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACME, start } from './support.ts'

const asks: readonly (readonly [tool: string, args: object])[] = [
  ['get_pr_impact', { files: ['a.ts'] }],
  ['triage_prs', { prs: [] }],
  ['get_neighbors', { node: 'a.ts' }],
  ['shortest_path', { src: 'a.ts', dst: 'a.ts' }],
]

test('repo is a name or an absolute path, and the framework root when it is left out', async () => {
  await using set = await start({ 'a.ts': '', 'other/b.ts': '' })
  set.git('init', '-q', 'other')
  await set.call('repos_upsert', { name: 'listed', path: `${set.root}/other` })
  for (const [tool, args] of asks) assert.equal((await set.call(tool, args)).repo, (await set.call(tool, { ...args, repo: set.root })).repo)
  for (const repo of ['listed', `${set.root}/other`])
    assert.deepEqual((await set.call('get_neighbors', { repo, node: 'b.ts' })).nodes, ['b.ts'])
})

test('an unknown repo, a folder that is none and one that is gone are NOT_FOUND', async () => {
  await using set = await start({ 'a.ts': '', 'plain/b.ts': '' })
  await set.call('repos_upsert', { name: 'gone', path: `${set.root}/gone` })
  for (const [tool, args] of asks)
    for (const repo of ['nobody', `${set.root}/plain`, '/nowhere', 'gone'])
      await assert.rejects(set.call(tool, { ...args, repo }), { code: 'NOT_FOUND' })
})

test('to another tenant the operator’s repos are unknown by name and path; what needs a folder is refused with a sentence', async () => {
  await using set = await start({ 'a.ts': '' })
  set.git('init', '-q')
  await set.call('repos_upsert', { name: 'web', path: set.root })
  await set.call('repos_upsert', { name: 'own', path: set.root }, ACME)
  for (const [tool, args] of asks) {
    for (const repo of ['web', set.root]) await assert.rejects(set.call(tool, { ...args, repo }, ACME), { code: 'NOT_FOUND' })
    for (const repo of ['own', undefined])
      await assert.rejects(set.call(tool, { ...args, ...(repo && { repo }) }, ACME), {
        code: 'FORBIDDEN',
        message: /folders of this machine are the operator’s/,
      })
  }
})

test('a caller that leaves is let go, and the next one is answered', async () => {
  await using set = await start({ 'a.ts': '' })
  const gone = new AbortController()
  const asked = set.call('get_neighbors', { node: 'a.ts' }, { signal: gone.signal })
  gone.abort(new Error('left'))
  await assert.rejects(asked)
  assert.deepEqual((await set.call('get_neighbors', { node: 'a.ts' })).nodes, ['a.ts'])
})
