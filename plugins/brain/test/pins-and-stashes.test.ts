import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { MAX_CONTENT } from '../src/schema.ts'
import { commit, files, plainGit, start } from './support.ts'

test('a stash is committed to main, whatever the current branch, and pop returns the newest and removes it by a commit', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  for (const content of ['first', 'second', 'second']) await gateway.call('brain_stash', { slug: 'ctx', content, repo: 'web' })
  await gateway.call('brain_stash', { slug: 'other', content: 'x' })
  assert.equal(files(gateway).length, 4)
  assert.deepEqual(
    (await gateway.call('brain_status')).stashes.map(({ slug }: { slug: string }) => slug),
    ['other', 'ctx', 'ctx', 'ctx'],
  )
  const contents = []
  for (let n = 0; n < 3; n++) {
    const popped = await gateway.call('brain_pop', { slug: 'ctx' })
    contents.push(popped.content)
    assert.deepEqual([popped.repo, plainGit(gateway, 'rev-parse', 'main').trim()], ['web', popped.commit])
  }
  assert.deepEqual(contents, ['second', 'second', 'first'])
  await assert.rejects(gateway.call('brain_pop', { slug: 'ctx' }), { code: 'NOT_FOUND' })
  assert.match(plainGit(gateway, 'log', '-1', '--format=%s', 'main'), /^pop: ctx/)
})

test('a stash holds as much as its schema says, in any script, over REST and over MCP', async () => {
  await using gateway = await start()
  const content = '€'.repeat(MAX_CONTENT)
  const rest = await gateway.inject({ method: 'POST', url: '/api/tools/brain_stash', body: { slug: 'rest', content } })
  assert.equal(rest.status, 200, rest.body.slice(0, 500))
  const params = { name: 'brain_stash', arguments: { slug: 'mcp', content } }
  const mcp = await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  assert.equal(mcp.json().result?.structuredContent?.slug, 'mcp', mcp.body.slice(0, 500))
  for (const slug of ['rest', 'mcp']) assert.equal((await gateway.call('brain_pop', { slug })).content, content)
})

test('of many who pop at once each gets another stash, and none twice', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 8 }, (_, n) => gateway.call('brain_stash', { slug: 'ctx', content: `${n}` })))
  const popped = await Promise.all(Array.from({ length: 8 }, () => gateway.call('brain_pop', { slug: 'ctx' })))
  assert.deepEqual(
    popped.map(({ content }) => content).sort(),
    Array.from({ length: 8 }, (_, n) => `${n}`),
  )
})

test('brain_pin writes a marker on main by sha8 or path, once; brain_unpin removes it', async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  const { atom } = await commit(gateway)
  const pinned = await gateway.call('brain_pin', { ref: atom.sha8 })
  assert.deepEqual([pinned.changed, pinned.atom.pinned, files(gateway)], [true, true, [`pins/${atom.path}`]])
  const again = await gateway.call('brain_pin', { ref: atom.path })
  assert.deepEqual([again.changed, again.commit], [false, undefined])
  await gateway.call('brain_merge')
  assert.equal((await gateway.call('brain_explore', { sections: [] })).atoms[0].pinned, true)
  assert.equal((await gateway.call('brain_unpin', { ref: atom.sha8 })).changed, true)
  assert.equal((await gateway.call('brain_unpin', { ref: atom.sha8 })).changed, false)
  assert.deepEqual(files(gateway), [atom.path])
  assert.equal((await gateway.call('brain_explore', { sections: [] })).atoms[0].pinned, undefined)
})

test('pinning what is no atom is an error', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('brain_pin', { ref: 'deadbeef' }), { code: 'NOT_FOUND' })
  await assert.rejects(gateway.call('brain_pin', { ref: '../../etc/passwd' }), refusal('BAD_REQUEST', 'ref'))
  await assert.rejects(gateway.call('brain_pin', { ref: 'repos/web/session/20260105/20260105T090000Z-x-deadbeef.md' }), {
    code: 'NOT_FOUND',
  })
})
