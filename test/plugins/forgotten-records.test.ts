import assert from 'node:assert/strict'
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
