import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { MAX_CONTENT } from '../src/schema.ts'
import { commit, files, plainGit, start, type TestGateway } from './support.ts'

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

const REST = (gateway: TestGateway, tool: string, body: object, headers: Record<string, string> = {}) =>
  gateway.inject({ method: 'POST', url: `/api/tools/${tool}`, body, headers })
const MCP = async (gateway: TestGateway, name: string, args: object) => {
  const params = { name, arguments: args }
  const answer = await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  return answer.json().result?.structuredContent
}

test('a stash holds as much as its schema says, and comes back over REST and over MCP', async () => {
  await using gateway = await start()
  const content = 'x'.repeat(MAX_CONTENT)
  assert.equal((await REST(gateway, 'brain_stash', { slug: 'rest', content })).status, 200)
  assert.equal((await MCP(gateway, 'brain_stash', { slug: 'mcp', content }))?.slug, 'mcp')
  assert.equal((await REST(gateway, 'brain_pop', { slug: 'rest' })).json().content, content)
  assert.equal((await MCP(gateway, 'brain_pop', { slug: 'mcp' }))?.content, content)
})

test('a stash that brain_pop could not return is refused, in any script', async () => {
  await using gateway = await start()
  for (const content of ['€'.repeat(1_500_000), '\u0001'.repeat(700_000)])
    await assert.rejects(gateway.call('brain_stash', { slug: 'ctx', content }), refusal('BAD_REQUEST', 'content'))
  assert.deepEqual((await gateway.call('brain_status')).stashes, [])
  const content = '€'.repeat(1_300_000)
  await gateway.call('brain_stash', { slug: 'ctx', content })
  assert.equal((await REST(gateway, 'brain_pop', { slug: 'ctx' })).json().content, content)
})

test('a stash that does not fit into an answer stays', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-stash-'))
  t.after(() => rm(dataDir, { recursive: true }))
  {
    await using gateway = await start({ dataDir })
    await gateway.call('brain_stash', { slug: 'ctx', content: 'x'.repeat(100_000) })
  }
  await using gateway = await start({ dataDir, env: { GATEWAY_ANSWER_LIMIT_BYTES: '65536' } })
  const refused = await REST(gateway, 'brain_pop', { slug: 'ctx' })
  assert.equal(refused.status, 409)
  assert.match(refused.json().error, /100002 bytes as JSON.*it stays.*stash\/.*-ctx-.*\.md of main with git/)
  assert.deepEqual([files(gateway).length, (await gateway.call('brain_status')).stashes.length], [1, 1])
})

test('a pop that is repeated with its key returns the whole content, however long', async () => {
  await using gateway = await start()
  const content = 'A long context. '.repeat(5_000)
  await gateway.call('brain_stash', { slug: 'ctx', content, repo: 'web' })
  const key = { 'idempotency-key': 'pop-1' }
  const first = await REST(gateway, 'brain_pop', { slug: 'ctx' }, key)
  await commit(gateway)
  const again = await REST(gateway, 'brain_pop', { slug: 'ctx' }, key)
  assert.deepEqual([again.status, again.json()], [200, first.json()])
  assert.equal(again.json().content, content)
  assert.deepEqual([again.headers['idempotency-replayed'], again.headers['idempotency-omitted']], ['true', undefined])
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
