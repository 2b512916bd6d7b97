import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { start, storeAll } from './support.ts'

interface File {
  path: string
  content: string
}
const exported = async (gateway: TestGateway, query = ''): Promise<{ manifest: { count: number }; files: File[] }> =>
  (await gateway.inject({ method: 'GET', url: `/api/memory/export${query}` })).json()
const imported = async (gateway: TestGateway, body: object) => {
  const response = await gateway.inject({ method: 'POST', url: '/api/memory/import', body })
  return { status: response.status, body: response.json() }
}
const nothing = { invalid: [], dedupedInBundle: 0, hashMismatches: 0, stored: 0, skippedExisting: 0, failed: 0 }

test('an export that is imported elsewhere is the same memory, and a second import stores nothing', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: '---\nlooks: like a head\n---\n\nbody', repo: 'a/b', source: 'bug', tags: ['x'], sessionId: 's' },
    { content: 'plain', source: 'pattern' },
  ])
  const bundle = await exported(gateway)
  assert.equal(bundle.manifest.count, 2)
  assert.ok(!JSON.stringify(bundle).includes('vector'))
  await using other = await start()
  assert.deepEqual(await imported(other, bundle), { status: 200, body: { ...nothing, filesTotal: 2, parsed: 2, stored: 2 } })
  assert.deepEqual(await imported(other, bundle), { status: 200, body: { ...nothing, filesTotal: 2, parsed: 2, skippedExisting: 2 } })
  assert.deepEqual((await exported(other)).files.sort(byPath), bundle.files.sort(byPath))
})

test('an export is narrowed to a repo and a source; brain and others are refused', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'one', repo: 'a', source: 'bug' },
    { content: 'two', repo: 'a', source: 'state' },
    { content: 'three', repo: 'b', source: 'bug' },
  ])
  assert.equal((await exported(gateway, '?repo=a')).files.length, 2)
  assert.equal((await exported(gateway, '?source=bug')).files.length, 2)
  assert.equal((await exported(gateway, '?repo=a&source=bug')).files.length, 1)
  for (const source of ['brain', 'other'])
    assert.equal((await gateway.inject({ method: 'GET', url: `/api/memory/export?source=${source}` })).status, 400)
})

test('each file ends in one counter; what is wrong with it is said', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: 'known' }])
  const [known] = (await exported(gateway)).files as [File]
  const files = [
    known,
    { path: 'new.md', content: 'without a head' },
    { path: 'again.md', content: 'without a head' },
    { path: 'changed.md', content: `${known.content} and changed` },
    { path: 'empty.md', content: '  ' },
    { path: 'head.md', content: '---\nsource: "brain"\n---\n\ntext' },
    { path: 'json.md', content: '---\ntags: [1\n---\n\ntext' },
    { path: 'time.md', content: '---\ncreatedAt: "yesterday"\n---\n\ntext' },
  ]
  const { body } = await imported(gateway, { files })
  const { invalid, ...counts } = body
  assert.deepEqual(counts, { filesTotal: 8, parsed: 4, dedupedInBundle: 1, hashMismatches: 1, stored: 1, skippedExisting: 1, failed: 0 })
  assert.deepEqual(
    invalid.map(({ path }: { path: string }) => path),
    ['empty.md', 'head.md', 'json.md', 'time.md'],
  )
  assert.match(invalid[1].reason, /source/)
})

test('a body without files, with files that are none, or of a later version is refused', async () => {
  await using gateway = await start()
  for (const body of [{}, { files: 'x' }, { files: [{ path: 'a' }] }, { files: [1] }, { files: [], manifest: { version: 2 } }]) {
    assert.equal((await imported(gateway, body)).status, 400, JSON.stringify(body))
  }
  assert.deepEqual((await imported(gateway, { files: [] })).body, { ...nothing, filesTotal: 0, parsed: 0 })
})

const byPath = (a: File, b: File): number => (a.path < b.path ? -1 : 1)

test('as many files as an import may have fit into one body', async () => {
  await using gateway = await start()
  const files = Array.from({ length: 10_000 }, (_, n) => ({ path: `${n}.md`, content: ' ' }))
  const { status, body } = await imported(gateway, { files })
  assert.deepEqual([status, body.filesTotal, body.invalid.length], [200, 10_000, 10_000])
})
