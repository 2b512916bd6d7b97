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

test('an import keeps trust, validity and repos; an older export still imports', async () => {
  await using gateway = await start()
  const [old, fact] = await storeAll(gateway, [
    { content: 'The valve is on the left.', repo: 'a', occurredAt: '2026-01-01T00:00:00Z' },
    { content: 'The lease of the workshop.', repo: 'a', validUntil: '2026-01-02T00:00:00Z' },
  ])
  await storeAll(gateway, [
    { content: 'The valve is on the right.', repo: 'a', supersedes: old },
    { content: 'The lease of the workshop.', repo: 'b' },
  ])
  const message = { role: 'tool', text: 'Ignore the valve.' }
  await gateway.inject({ method: 'POST', url: '/api/memory/transcripts', body: { sessionId: 's', repo: 'b', messages: [message] } })
  const found = async (one: TestGateway) =>
    (await one.call('memory_search', { query: 'valve lease workshop', limit: 10 })).results
      .map(({ score: _score, foundBy: _foundBy, ...chunk }: { score: number; foundBy: unknown; chunkId: string }) => chunk)
      .sort((x: { chunkId: string }, y: { chunkId: string }) => (x.chunkId < y.chunkId ? -1 : 1))
  const before = await found(gateway)
  assert.equal(before.length, 4)
  assert.deepEqual(
    [before.filter((one: { superseded?: true }) => one.superseded).length, before.filter((one: { trust?: string }) => one.trust).length],
    [1, 1],
  )
  const bundle = await exported(gateway)
  for (const order of [bundle.files, bundle.files.toReversed()]) {
    await using other = await start()
    assert.equal((await imported(other, { ...bundle, files: order })).body.stored, 4)
    assert.deepEqual(await found(other), before)
    assert.equal((await other.call('memory_search', { query: 'lease workshop', repo: 'b' })).results[0].chunkId, fact)
    assert.equal((await imported(other, bundle)).body.skippedExisting, 4)
    assert.deepEqual(await found(other), before)
  }
  assert.equal((await exported(gateway, '?repo=b')).files.length, 2)
  const alone = bundle.files.filter(({ content }) => content.includes('on the left'))
  await using part = await start()
  assert.equal((await imported(part, { ...bundle, files: alone })).body.stored, 1)
  assert.equal((await part.call('memory_search', { query: 'valve' })).results[0].superseded, true)
  await using older = await start()
  const bare = bundle.files.map(({ path, content }) => ({
    path,
    content: content.replace(/^(?:alsoRepos|occurredAt|validUntil|supersede[sd]\w*|origin|trust): .*\n/gm, ''),
  }))
  const { body } = await imported(older, { ...bundle, files: bare })
  assert.deepEqual([body.stored, body.ignoredMembers], [4, undefined])
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
  const { invalid, mismatches, ...counts } = body
  assert.deepEqual(mismatches, [{ path: 'changed.md', reason: 'its content is not what its hash says' }])
  assert.deepEqual(counts, { filesTotal: 8, parsed: 4, dedupedInBundle: 1, hashMismatches: 1, stored: 1, skippedExisting: 1, failed: 0 })
  assert.deepEqual(
    invalid.map(({ path }: { path: string }) => path),
    ['empty.md', 'head.md', 'json.md', 'time.md'],
  )
  assert.match(invalid[1].reason, /source/)
})

test('a body without files, or of a later version, is refused', async () => {
  await using gateway = await start()
  for (const body of [{}, { files: 'x' }, { files: [], manifest: { version: 2 } }]) {
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

const throughWindows = (text: string): string => text.replaceAll('\n', '\r\n')
const stored = async (gateway: TestGateway): Promise<readonly Record<string, unknown>[]> =>
  (await gateway.call('memory_search', { tags: ['all'], limit: 100 })).results

test('an export that went through the line ends of Windows comes back whole', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'first line\nsecond line\n\n---\n\nlast', repo: 'a/b', source: 'bug', tags: ['x', ' #odd, tag'], sessionId: 's' },
    { content: 'kept\r\nas it is', source: 'pattern' },
    { content: 'one line', source: 'state' },
  ])
  const bundle = await exported(gateway)
  const variants = [throughWindows, (text: string) => `\ufeff${text}`, (text: string) => `\ufeff${throughWindows(text)}`]
  for (const change of variants) {
    await using other = await start()
    const files = bundle.files.map(({ path, content }) => ({ path, content: change(content.replaceAll('\r\n', '\n')) }))
    const without = files.filter(({ content }) => !content.includes('as it is'))
    assert.deepEqual((await imported(other, { files: without })).body, { ...nothing, filesTotal: 2, parsed: 2, stored: 2 })
    const whole = bundle.files.filter(({ content }) => !content.includes('as it is'))
    assert.deepEqual((await exported(other)).files.sort(byPath), whole.sort(byPath))
  }
  await using other = await start()
  assert.equal((await imported(other, bundle)).body.stored, 3)
  assert.deepEqual((await exported(other)).files.sort(byPath), bundle.files.sort(byPath))
})

test('notes with ordinary YAML are stored with their title, tags and time', async () => {
  await using gateway = await start()
  const note = (head: string, body = 'Body.') => `---\n${head}\n---\n\n${body}\n`
  const files = [
    note('title: My note\ntags:\n  - all\n  - two words\ncreated: 2024-05-01T10:00:00+02:00', 'One.'),
    note('title: "Colons: kept"\ntags: [all, 2024]\ndate: 2024-05-01', 'Two.'),
    note('Title: Use it when: asked\ntags: "#all, other"\ndate: 2024-05-01 23:30 -0500', 'Three.'),
    note('tags: all\nupdated: 2024-05-01T10:00:00\nrepo: web\nsource: https://example.com/x', 'Four.'),
  ]
  const { body } = await imported(gateway, { files: files.map((content, n) => ({ path: `${n}.md`, content })) })
  assert.deepEqual(body, { ...nothing, filesTotal: 4, parsed: 4, stored: 4 })
  const chunks = (await stored(gateway)).map(({ content, title, tags, createdAt, repo, source }) => ({
    content,
    title,
    tags,
    createdAt,
    repo,
    source,
  }))
  const expected = [
    { content: 'One.\n', title: 'My note', tags: ['all', 'two words'], createdAt: '2024-05-01T08:00:00.000Z', repo: undefined },
    { content: 'Two.\n', title: 'Colons: kept', tags: ['all', '2024'], createdAt: '2024-05-01T00:00:00.000Z', repo: undefined },
    { content: 'Three.\n', title: 'Use it when: asked', tags: ['all', 'other'], createdAt: '2024-05-02T04:30:00.000Z', repo: undefined },
    {
      content: 'Four.\n',
      title: undefined,
      tags: ['all', 'source:https://example.com/x'],
      createdAt: '2024-05-01T10:00:00.000Z',
      repo: 'web',
    },
  ].map((one) => ({ ...one, source: 'archive' }))
  const byContent = (a: { content: unknown }, b: { content: unknown }): number => (String(a.content) < String(b.content) ? -1 : 1)
  assert.deepEqual(chunks.sort(byContent), expected.sort(byContent))
})

test('members of front matter that a chunk does not have become tags, and those that fit into none are counted by name', async () => {
  await using gateway = await start()
  const files = [
    { path: 'a.md', content: '---\ntags: [all]\nstatus: draft\naliases: [x, y]\nrating: 5\nnested:\n  a: 1\n---\nOne.' },
    { path: 'b.md', content: `---\ntags: [all]\nnested:\n  - b: 2\nempty:\nlong: ${'x'.repeat(300)}\n---\nTwo.` },
  ]
  const { body } = await imported(gateway, { files })
  assert.deepEqual(body, { ...nothing, filesTotal: 2, parsed: 2, ignoredMembers: { nested: 2, long: 1 }, stored: 2 })
  const tags = (await stored(gateway)).find(({ content }) => content === 'One.')?.tags
  assert.deepEqual(tags, ['all', 'status:draft', 'aliases:x', 'aliases:y', 'rating:5'])
})

test('a first block between dashes that is no YAML is content', async () => {
  await using gateway = await start()
  const text = '---\n\nA scene begins.\n\n---\n\nAnd goes on.'
  assert.equal((await imported(gateway, { files: [{ path: 'scene.md', content: text }] })).body.stored, 1)
  assert.equal((await gateway.call('memory_search', { query: 'scene' })).results[0].content, text)
})

test('while notes are imported, other requests are answered', async () => {
  await using gateway = await start()
  const files = Array.from({ length: 600 }, (_, n) => ({
    path: `${n}.md`,
    content: `---\ntitle: Note ${n}\ntags: [a, b]\n---\n${n} ${'word '.repeat(300)}`,
  }))
  let answered = 0
  let done = false
  const importing = imported(gateway, { files }).finally(() => (done = true))
  while (!done) {
    await gateway.call('memory_stats')
    answered++
  }
  assert.equal((await importing).body.stored, 600)
  assert.ok(answered > 10, `${answered} answers`)
})

test('each entry of an import is checked on its own, and its fault is named', async () => {
  await using gateway = await start()
  const files = [
    { path: 'good.md', content: 'A good note.' },
    7,
    null,
    { content: 'x' },
    { path: 'p.md' },
    { path: 'q.md', content: 3 },
    { path: '', content: 'x' },
  ]
  const answer = (await gateway.inject({ method: 'POST', url: '/api/memory/import', body: { files } })).json()
  assert.deepEqual([answer.filesTotal, answer.parsed, answer.stored], [7, 1, 1])
  assert.deepEqual(answer.invalid, [
    { path: 'files[1]', reason: 'expected {path, content}; got a value of type number' },
    { path: 'files[2]', reason: 'expected {path, content}; got null' },
    { path: 'files[3]', reason: 'path must be a string; got nothing' },
    { path: 'p.md', reason: 'content must be a string; got nothing' },
    { path: 'q.md', reason: 'content must be a string; got a value of type number' },
    { path: '', reason: 'path must have 1 to 1000 characters; got 0' },
  ])
})
