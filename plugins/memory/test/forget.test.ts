import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { contents, Files, start, storeAll } from './support.ts'

function filesWith(folder: string, ...texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return texts.some((text) => bytes.includes(text))
    })
}

test('a forgotten chunk leaves no byte in the data folder after a restart: neither its text nor its words', async () => {
  await using gateway = await start()
  const [, chunkId] = await storeAll(gateway, [
    { content: 'The pangolin sleeps.', sessionId: 's' },
    { content: 'The quincunxial hoopoe flies at night and sings of lacunae.', sessionId: 's', tags: ['birds'] },
    { content: 'The tapir wakes.', sessionId: 's' },
  ])
  assert.notDeepEqual(filesWith(gateway.dataDir, 'hoopoe'), [])
  const answer = await gateway.inject({ method: 'DELETE', url: `/api/memory/${chunkId}` })
  assert.deepEqual([answer.status, answer.json()], [200, { forgotten: 1 }])
  assert.deepEqual(await contents(gateway, { query: 'hoopoe' }), [])
  await gateway.restart()
  assert.deepEqual(filesWith(gateway.dataDir, 'hoopoe', 'quincunx', 'lacuna'), [])
  assert.equal((await gateway.call('memory_stats')).total, 2)
  assert.deepEqual(await contents(gateway, { query: 'pangolin' }), ['The pangolin sleeps.', 'The tapir wakes.'])
})

test('forgotten content does not come back through a reindex, however the file is cut then; stored again it is remembered again', async () => {
  const files = new Files()
  await using gateway = await start({ plugins: [files.plugin] })
  const secret = 'The vault is opened by the third lever from the left.'
  const put = (markdown: string) => files.master.set('a.md', { markdown, source: 'state', cut: 'headings' })
  put(`# A\n\n${secret}\n\n# B\n\nThe garden is open.`)
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await gateway.call('memory_forget', { query: 'vault lever' }), { forgotten: 1 })
  put(`# A\n\nNew.\n\n${secret}\n\nThe garden is closed.`)
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await contents(gateway, { query: 'vault lever' }), [])
  assert.deepEqual(await contents(gateway, { query: 'garden' }), ['New.\n\nThe garden is closed.'])
  await storeAll(gateway, [{ content: secret }])
  assert.deepEqual(await contents(gateway, { query: 'vault lever' }), [secret])
})

test('forgotten words of a conversation do not come back when its transcript is sent again, in a repo or everywhere', async () => {
  await using gateway = await start()
  const secret = 'The vault is opened by the third lever from the left.'
  const send = async (repo: string, sessionId = 's') => {
    const texts = [`Remember: ${secret} password=Tr0ub4dor-and-3`, `${secret}\n\nThe garden of ${repo} is open today.`]
    const body = { sessionId, repo, messages: texts.map((text) => ({ role: 'user', text })) }
    return (await gateway.inject({ method: 'POST', url: '/api/memory/transcripts', body })).json()
  }
  assert.deepEqual(await send('a'), { messages: 2, stored: 2 })
  assert.deepEqual(await gateway.call('memory_forget', { query: 'vault lever', repo: 'a' }), { forgotten: 2 })
  assert.deepEqual(await send('a'), { messages: 2, stored: 0 })
  assert.deepEqual(await contents(gateway, { query: 'vault lever' }), [])
  assert.equal((await send('b')).stored, 2)
  assert.equal((await contents(gateway, { query: 'vault lever', repo: 'b' })).length, 2)
  await gateway.call('memory_forget', { query: 'vault lever' })
  for (const repo of ['a', 'b', 'c']) await send(repo, 'later')
  assert.deepEqual(await contents(gateway, { query: 'vault lever' }), [])
  assert.deepEqual(await contents(gateway, { query: 'garden' }), ['The garden of c is open today.'], 'a new text beside it is kept')
})

test('a part of a long paragraph or list in a file does not come back when the file is cut at other places', async () => {
  const files = new Files()
  await using gateway = await start({ plugins: [files.plugin] })
  const sentences = (word: string, from: number) =>
    Array.from({ length: 20 }, (_, at) => `The ${word} number ${from + at} hangs in the workshop behind the door.`)
  const all = [...sentences('spanner', 0), ...sentences('hoopoe', 20), ...sentences('chisel', 40)]
  const pins = Array.from({ length: 90 }, (_, at) => `- pin ${at}: ${at < 45 ? 'pangolin' : 'tapir'}`)
  const put = (...before: string[]) =>
    files.master.set('a.md', {
      markdown: `# A\n\n${[...before, ...all].join(' ')}\n\n# B\n\n${[...before, ...pins].join('\n')}`,
      source: 'state',
      cut: 'headings',
    })
  put()
  await gateway.call('memory_reindex', { scope: 'all' })
  for (const query of ['hoopoe', 'pangolin']) await gateway.call('memory_forget', { query })
  for (const before of [[], ['New.'], ['Another sentence that shifts whatever comes after it.', 'And one more.']]) {
    put(...before)
    await gateway.call('memory_reindex', { scope: 'all' })
    for (const query of ['hoopoe', 'pangolin']) assert.deepEqual(await contents(gateway, { query }), [], query)
    assert.notDeepEqual(await contents(gateway, { query: 'chisel' }), [])
  }
})

test('a part of a sentence that is longer than a chunk does not come back either, but for a few words at the cuts', async () => {
  const files = new Files()
  await using gateway = await start({ plugins: [files.plugin] })
  const words = Array.from({ length: 600 }, (_, at) => `${at > 200 && at < 400 && at % 3 === 0 ? 'hoopoe' : 'lever'}${at}`)
  const put = (before: string) => files.master.set('a.md', { markdown: `${before}${words.join(' ')}`, source: 'state', cut: 'headings' })
  put('')
  await gateway.call('memory_reindex', { scope: 'all' })
  await gateway.call('memory_forget', { query: 'hoopoe300' })
  for (const before of ['', 'Some words that shift whatever comes after them, by more than one line '.repeat(3)]) {
    put(before)
    await gateway.call('memory_reindex', { scope: 'all' })
    assert.deepEqual(await contents(gateway, { query: 'hoopoe300' }), [])
    assert.notDeepEqual(await contents(gateway, { query: 'lever599' }), [])
  }
})

test('conditions are combined, a preview forgets nothing, and no condition is an error', async () => {
  await using gateway = await start()
  await storeAll(gateway, [
    { content: 'one plum', repo: 'a', tags: ['t'], occurredAt: '2020-01-01' },
    { content: 'two plums', repo: 'a', tags: ['t', 'u'] },
    { content: 'three plums', repo: 'b', tags: ['t'], source: 'bug' },
  ])
  const counted = async (args: object): Promise<number> => (await gateway.call('memory_forget', { ...args, preview: true })).forgotten
  assert.equal(await counted({ tags: ['t'] }), 3)
  assert.equal(await counted({ tags: ['t', 'u'] }), 1)
  assert.equal(await counted({ tags: ['t'], repo: 'a' }), 2)
  assert.equal(await counted({ source: 'bug' }), 1)
  assert.equal(await counted({ before: '2021-01-01T00:00:00Z' }), 1)
  assert.equal(await counted({ query: 'plums', repo: 'a' }), 2)
  assert.equal(await counted({ query: 'plums pears' }), 0)
  for (const args of [{}, { preview: true }, { query: ' ' }, { tags: [] }])
    await assert.rejects(gateway.call('memory_forget', args), { code: 'BAD_REQUEST' })
  await assert.rejects(gateway.call('memory_forget', { before: 'soon' }), { code: 'BAD_REQUEST', message: /before/ })
  const answer = await gateway.inject({ method: 'POST', url: '/api/memory/forget', body: { repo: 'a', tags: ['t'] } })
  assert.deepEqual(answer.json(), { forgotten: 2 })
  assert.deepEqual(await contents(gateway, { tags: ['t'] }), ['three plums'])
  assert.equal((await gateway.inject({ method: 'DELETE', url: '/api/memory/mem-none' })).status, 404)
})

test('a long query forgets only what has all of its words, and a longer one is refused', async () => {
  await using gateway = await start()
  const words = Array.from({ length: 60 }, (_, at) => `w${String.fromCharCode(97 + (at % 26))}${at}x`)
  await storeAll(gateway, [{ content: words.slice(0, -1).join(' ') }, { content: words.join(' ') }])
  assert.deepEqual(await gateway.call('memory_forget', { query: words.join(' '), preview: true }), { forgotten: 1 })
  assert.deepEqual(await gateway.call('memory_forget', { query: words.join(' ') }), { forgotten: 1 })
  assert.deepEqual(await contents(gateway, { query: words.join(' ') }), [words.slice(0, -1).join(' ')])
  const many = Array.from({ length: 300 }, (_, at) => `w${at}x`).join(' ')
  await assert.rejects(gateway.call('memory_forget', { query: many }), {
    code: 'BAD_REQUEST',
    message: /^`query` must contain fewer than 256/,
  })
})

test('a preview that stops counting says so', async () => {
  await using gateway = await start()
  const files = Array.from({ length: 1_001 }, (_, at) => ({ path: `${at}.md`, content: `The plum ${at} is ripe.` }))
  await gateway.inject({ method: 'POST', url: '/api/memory/import', body: { files } })
  assert.deepEqual(await gateway.call('memory_forget', { query: 'plum', preview: true }), { forgotten: 1_000, truncated: true })
})
