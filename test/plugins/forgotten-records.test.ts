import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import memory from '@gateway/plugin-memory'
import repos from '@gateway/plugin-repos'
import state from '@gateway/plugin-state'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const start = (): Promise<TestGateway> => startTestGateway({ plugins: [repos, memory, state] })
const records = async (gateway: TestGateway): Promise<string> => {
  const all = await gateway.documents()
  return JSON.stringify(['state.documents', 'state.handoffs', 'memory'].map((name) => all[name]))
}
const count = async (gateway: TestGateway, query: string, repo?: string): Promise<number> =>
  (await gateway.call('memory_search', { query, ...(repo !== undefined && { repo }) })).count

/** Texts that the index has in another form than the record. */
const FORMS: Readonly<Record<string, string>> = {
  'a heading directly above its text': '# Done\nThe hoopoe lever was oiled.\n\nNext: nothing.',
  'an underlined heading': 'Done\n====\nThe hoopoe lever was oiled.',
  'a block that is left open': '# Log\r\n\r\n```\r\nThe hoopoe lever was oiled.\r\n# no heading',
  'a secret in the text': 'The hoopoe lever opens with password: Zebrafish-77-xyz for now.\n\nAnd password: Zebrafish-77-xyz',
  'a secret at its end': 'The hoopoe lever has password: Zebrafish-77-xyz',
  'a list with short items': '- hoopoe\n- lever\n- Zebrafish-77',
}

for (const [form, content] of Object.entries(FORMS))
  test(`a forgotten text leaves handoffs and state documents: ${form}`, async () => {
    await using gateway = await start()
    await gateway.call('handoff_write', { repo: 'aa', content, sessionId: 'session-one' })
    await gateway.call('handoff_write', { repo: 'aa', content: 'The garden is open.' })
    const open = form === 'a block that is left open'
    if (!open) await gateway.call('state_update', { repo: 'aa', heading: '## Levers', content: content.replace(/^# .*\n|^Done\n=+\n/, '') })
    assert.deepEqual(await gateway.call('memory_forget', { query: 'hoopoe lever' }), { forgotten: open ? 1 : 2 })
    assert.doesNotMatch(await records(gateway), /hoopoe|Zebrafish/)
    await gateway.call('memory_reindex', { scope: 'all' })
    assert.equal(await count(gateway, 'hoopoe'), 0)
    const { latest, total } = await gateway.call('handoff_read', { repo: 'aa' })
    assert.deepEqual([latest.content, total], ['The garden is open.', 1])
  })

const items = (word: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `- The ${word} number ${from + at} hangs in the workshop behind the door.`)

test('a part of a long list is forgotten in the record and in the parts beside it, and does not return when the list is cut anew', async () => {
  await using gateway = await start()
  const list = [...items('spanner', 0, 30), ...items('hoopoe', 30, 40), ...items('spanner', 40, 70)]
  await gateway.call('state_update', { repo: 'aa', heading: '## Tools', content: list.join('\n') })
  const { forgotten } = await gateway.call('memory_forget', { query: 'hoopoe' })
  assert.ok(forgotten > 0)
  assert.doesNotMatch(await records(gateway), /hoopoe/)
  const { content } = await gateway.call('state_read', { repo: 'aa' })
  assert.match(content, /^## Tools\n\n(- The spanner number \d+ [^\n]+\n)+$/)
  assert.ok(content.includes('number 0 ') && content.includes('number 69 '))
  await gateway.call('state_update', { repo: 'aa', heading: '## Tools', content: ['- New.', ...list].join('\n') })
  assert.equal(await count(gateway, 'hoopoe'), 0)
  assert.ok((await count(gateway, 'spanner')) > 0)
})

test('a short text is removed only where it is a paragraph of its own', async () => {
  await using gateway = await start()
  await gateway.call('state_update', { repo: 'aa', heading: '## Build', content: 'Use the hoopoe.' })
  await gateway.call('state_update', {
    repo: 'aa',
    heading: '## Test',
    content: 'Use the hoopoe. Then clean the whole workshop of its dust.',
  })
  await gateway.call('memory_forget', { query: 'build hoopoe' })
  const { content } = await gateway.call('state_read', { repo: 'aa' })
  assert.doesNotMatch(content, /## Build\s+Use/)
  assert.match(content, /## Test\s+Use the hoopoe\. Then/)
})

test('what is forgotten in one repo stays in another that has the same text, and that one may write it again', async () => {
  await using gateway = await start()
  const rule = 'Every hoopoe lever is oiled on the first Monday of the month.'
  const put = (repo: string, content = rule) => gateway.call('state_update', { repo, heading: '## Rules', content })
  for (const repo of ['aa', 'bb']) await put(repo)
  await gateway.call('handoff_write', { repo: 'bb', content: rule })
  const stored = 'The pangolin valve is closed at night, and opened again at dawn.'
  for (const repo of ['aa', 'bb']) await gateway.call('memory_store', { content: stored, repo, tags: ['valve'] })
  assert.deepEqual(await gateway.call('memory_forget', { repo: 'aa' }), { forgotten: 2 })
  const counts = async () => [
    await count(gateway, 'hoopoe lever', 'aa'),
    await count(gateway, 'pangolin valve', 'aa'),
    await count(gateway, 'hoopoe lever', 'bb'),
    await count(gateway, 'pangolin valve', 'bb'),
  ]
  assert.deepEqual(await counts(), [0, 0, 2, 1])
  assert.deepEqual(await gateway.call('memory_forget', { repo: 'aa' }), { forgotten: 0 })
  assert.doesNotMatch((await gateway.call('state_read', { repo: 'aa' })).content, /hoopoe/)
  assert.match((await gateway.call('state_read', { repo: 'bb' })).content, /hoopoe/)
  const [chunk] = (await gateway.call('memory_search', { query: 'pangolin valve' })).results
  assert.equal(chunk.repo, 'bb')
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await counts(), [0, 0, 2, 1])

  assert.deepEqual(await gateway.call('memory_forget', { repo: 'bb', query: 'hoopoe lever', source: 'state' }), { forgotten: 1 })
  assert.equal(await count(gateway, 'hoopoe lever'), 1)
  await put('cc')
  assert.equal(await count(gateway, 'hoopoe lever', 'cc'), 1)
  for (const repo of ['aa', 'bb']) await put(repo, `${rule} And this.`)
  // A new text may say it again.
  assert.deepEqual([await count(gateway, 'hoopoe lever', 'aa'), await count(gateway, 'hoopoe lever', 'bb')], [1, 2])
})

test('what another handoff, state document or repo says in the same words stays, as a record and in the index', async () => {
  await using gateway = await start()
  const report = (first: string, next: string): string =>
    `# What was done in this session\n\n${first} All the tests of the suite pass on main.\n\n# What to do in the next session\n\n${next}`
  const other = report('Wrote the billing docs.', 'Ask Bob about the invoices.')
  await gateway.call('handoff_write', { repo: 'aa', content: other })
  await gateway.call('handoff_write', { repo: 'aa', content: report('Oiled the hoopoe lever.', 'Ask Bob about the grease.') })
  const shared = 'All the tests of the suite pass on main. The zebra is striped.'
  await gateway.call('state_update', { repo: 'bb', heading: '## Tests', content: shared })
  await gateway.call('memory_store', { content: 'Oiled the hoopoe lever. All the tests of the suite pass on main.', repo: 'cc' })

  await gateway.call('memory_forget', { query: 'hoopoe lever' })

  const { entries } = await gateway.call('handoff_read', { repo: 'aa', limit: 10 })
  const contents = JSON.stringify(entries ?? (await gateway.documents())['state.handoffs'])
  assert.ok(contents.includes(JSON.stringify(other).slice(1, -1)), contents)
  assert.doesNotMatch(contents, /hoopoe/)
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.equal(await count(gateway, 'suite', 'bb'), 1)
  assert.equal(await count(gateway, 'suite', 'aa'), 1, 'the other handoff')
  await gateway.call('handoff_write', { repo: 'aa', content: 'Painted the door. All the tests of the suite pass on main.' })
  assert.equal(await count(gateway, 'suite door', 'aa'), 2, 'a later handoff')
  assert.match((await gateway.call('state_read', { repo: 'bb' })).content, /All the tests of the suite/)
})

test('of a long handoff only the forgotten part goes, also when another handoff is forgotten with it', async () => {
  await using gateway = await start()
  const tail = '# Tests\n\nAll the tests of the suite pass on main. The zebra is striped and tall.'
  const filler = items('spanner', 0, 40).join('\n')
  await gateway.call('handoff_write', { repo: 'aa', content: `# Work\n\nThe hoopoe lever was oiled.\n\n${filler}\n\n${tail}` })
  await gateway.call('handoff_write', { repo: 'aa', content: 'The hoopoe lever rusts. All the tests of the suite pass on main.' })
  await gateway.call('memory_forget', { query: 'hoopoe lever' })
  const stored = JSON.stringify((await gateway.documents())['state.handoffs'])
  assert.doesNotMatch(stored, /hoopoe/)
  assert.ok(stored.includes(JSON.stringify(tail.slice(tail.indexOf('All'))).slice(1, -1)), stored.slice(-400))
})

test('a text without spaces leaves the document that it came from', async () => {
  await using gateway = await start()
  const blob = Array.from({ length: 40 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join('')
  await gateway.call('state_update', { repo: 'aa', heading: '## Blob', content: `hoopoe ${blob}` })
  await gateway.call('memory_forget', { repo: 'aa' })
  assert.ok((await gateway.call('state_read', { repo: 'aa' })).content.length < 100)
})

test('a text with a secret takes nothing else that begins with the same words', async () => {
  await using gateway = await start()
  await gateway.call('state_update', { repo: 'aa', heading: '## Keys', content: 'Please set the API_KEY=sk-live-0123456789abcdefghij' })
  const note = 'Please set the API_KEY in the environment before running, then ask Bob for the giraffe.'
  await gateway.call('state_update', { repo: 'aa', heading: '## Notes', content: note })
  const { results } = await gateway.call('memory_search', { query: 'API_KEY', repo: 'aa' })
  const { chunkId } = results.find(({ content }: { content: string }) => !content.includes('giraffe'))
  const { status } = await gateway.inject({ method: 'DELETE', url: `/api/memory/${chunkId}` })
  assert.equal(status, 200)
  const { content } = await gateway.call('state_read', { repo: 'aa' })
  assert.ok(content.includes(note), content)
  assert.doesNotMatch(content, /sk-live/)
})
