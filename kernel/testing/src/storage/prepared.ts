import assert from 'node:assert/strict'
import type { Bench, TextPassage } from './subject.ts'

export function preparedTests(bench: Bench): void {
  const { test } = bench
  async function filled(tenant: string, ...rows: readonly TextPassage[]): Promise<(text: string, where?: object) => Promise<string[]>> {
    const c = bench.passages(tenant)
    for (const row of rows) await c.insert(row)
    return async (text, where) => (await c.search({ text, ...(where && { where }) })).map((hit) => hit.item.id)
  }

  test('of prepared text any of the words find, the rarer the nearer', async () => {
    const search = await filled(
      'prepared-any',
      { id: 'a', words: 'deploy fleet' },
      { id: 'b', words: 'deploy leas' },
      { id: 'c', words: 'deploy queue' },
      { id: 'd', words: 'other' },
    )
    const found = await search('deploy leas missing')
    assert.deepEqual([found[0], [...found].sort()], ['b', ['a', 'b', 'c']])
    assert.deepEqual(await search('missing'), [])
    assert.deepEqual(await search(''), [])
  })

  test('prepared words are taken as they are: none stands for another, and none is an operator', async () => {
    const search = await filled(
      'prepared-whole',
      { id: 'a', words: 'run' },
      { id: 'b', words: 'running' },
      { id: 'c', words: 'créme 東京 brûlée' },
    )
    assert.deepEqual(await search('run'), ['a'])
    assert.deepEqual(await search('"running" OR * (('), ['b'])
    assert.deepEqual(await search('東京'), ['c'])
    assert.deepEqual(await search('creme'), [])
  })

  test('a field of prepared text counts with its weight', async () => {
    const search = await filled('prepared-weights', { id: 'a', words: 'one', around: 'lease' }, { id: 'b', words: 'lease', around: 'one' })
    assert.deepEqual(await search('lease'), ['b', 'a'])
    assert.deepEqual(await search('one'), ['a', 'b'])
  })

  test('a word that every hit must have is answered by the index, beside any other condition', async () => {
    const search = await filled(
      'prepared-has',
      { id: 'a', words: 'word', labels: ['x1', 'x2'], at: '2026-01-01' },
      { id: 'b', words: 'word', labels: ['x1'], at: '2026-01-02' },
      { id: 'c', words: 'else', labels: ['x2'] },
    )
    assert.deepEqual(await search('word', { labels: { has: 'x2' } }), ['a'])
    assert.deepEqual((await search('word', { labels: { has: 'x1' } })).sort(), ['a', 'b'])
    assert.deepEqual(await search('word', { and: [{ labels: { has: 'x1' } }, { labels: { has: 'x2' } }] }), ['a'])
    assert.deepEqual(await search('word', { labels: { has: 'x1' }, at: { gte: '2026-01-02' } }), ['b'])
    assert.deepEqual(await search('word', { labels: { has: 'x3' } }), [])
    assert.deepEqual((await search('', { labels: { has: 'x2' } })).sort(), ['a', 'c'])
    assert.deepEqual(await search('', { labels: { has: 'x2' }, id: 'c' }), ['c'])
  })

  test('prepared text is its tenant’s, and follows the document', async () => {
    const search = await filled('prepared-one', { id: 'a', words: 'secret' })
    const other = await filled('prepared-two', { id: 'a', words: 'open' })
    assert.deepEqual([await search('open'), await other('open')], [[], ['a']])
    const c = bench.passages('prepared-one')
    await c.updateOne('a', { set: { words: 'changed' } })
    assert.deepEqual([await search('secret'), await search('changed')], [[], ['a']])
    await c.deleteOne('a')
    assert.deepEqual(await search('changed'), [])
  })
}
