import assert from 'node:assert/strict'
import type { Bench, Named } from './subject.ts'

export function searchTests(bench: Bench): void {
  const { test } = bench
  async function filled(
    tenant: string,
    ...rows: readonly Named[]
  ): Promise<(text: string, where?: object, limit?: number) => Promise<string[]>> {
    const c = bench.named(tenant)
    for (const row of rows) await c.insert(row)
    return async (text, where, limit) =>
      (await c.search({ text, ...(where ? { where } : {}), ...(limit ? { limit } : {}) })).map((hit) => hit.item.id)
  }

  test('documents with all the words come; where there is none, those with any', async () => {
    const search = await filled(
      'search-words',
      { id: 'a', body: 'The quick brown fox' },
      { id: 'b', body: 'A quick note', words: ['brown', 'bear'] },
      { id: 'c', body: 'nothing of that' },
    )
    assert.deepEqual((await search('QUICK brown')).sort(), ['a', 'b'])
    assert.deepEqual(await search('brown fox'), ['a'])
    assert.deepEqual((await search('fox bear')).sort(), ['a', 'b'])
    assert.deepEqual(await search('missing'), [])
    assert.deepEqual(await search(''), [])
  })

  test('a greater score is nearer, and every score is positive', async () => {
    await filled(
      'search-score',
      { id: 'a', body: 'deploy deploy deploy' },
      { id: 'b', body: `deploy ${'and so much more text '.repeat(20)}` },
      { id: 'c', body: 'else' },
    )
    const hits = await bench.named('search-score').search({ text: 'deploy' })
    assert.deepEqual(
      hits.map((hit) => hit.item.id),
      ['a', 'b'],
    )
    assert.ok((hits[0]?.score ?? 0) > (hits[1]?.score ?? 0) && (hits[1]?.score ?? 0) > 0)
  })

  test('what the user types is words and never a query language', async () => {
    const search = await filled(
      'search-literal',
      { id: 'a', body: "alpha OR beta's gamma-delta (x) tenant_word" },
      { id: 'b', body: 'other' },
    )
    for (const text of [
      'alpha"',
      '"alpha',
      'alpha*',
      '-alpha',
      'text_body:alpha',
      'alpha AND',
      '(alpha',
      'alpha^2',
      'gamma-delta',
      "beta's",
      'NEAR(alpha)',
      '{alpha}',
      'alpha😀',
    ])
      assert.deepEqual(await search(text), ['a'], text)
    assert.deepEqual(await search('*'), [])
    assert.deepEqual(await search('" OR "'), ['a'])
    assert.deepEqual(await search('other NOT alpha'), await search('alpha other not'))
  })

  test('letters of any script are words; accents do not matter', async () => {
    const search = await filled('search-script', { id: 'a', body: 'Crème brûlée' }, { id: 'b', body: 'привет мир' })
    assert.deepEqual(await search('creme brulee'), ['a'])
    assert.deepEqual(await search('МИР'), ['b'])
  })

  test('a filter and a limit hold for the hits', async () => {
    const search = await filled(
      'search-where',
      { id: 'a', body: 'word', place: 'x' },
      { id: 'b', body: 'word', place: 'y' },
      { id: 'c', body: 'word other', place: 'y' },
    )
    assert.deepEqual((await search('word', { place: 'y' })).sort(), ['b', 'c'])
    assert.equal((await search('word', {}, 2)).length, 2)
    assert.deepEqual(await search('word other', { place: 'x' }), ['a'])
    for (const limit of [0, 1001])
      await assert.rejects(bench.named('search-where').search({ text: 'word', limit }), { code: 'BAD_REQUEST' })
  })

  test('the text follows the document', async () => {
    const search = await filled('search-follow', { id: 'a', body: 'before' })
    const c = bench.named('search-follow')
    await c.updateOne('a', { set: { body: 'after', place: 'x' } })
    assert.deepEqual(await search('before'), [])
    assert.deepEqual(await search('after'), ['a'])
    await c.updateMany({ place: 'x' }, { push: { words: 'more' } })
    assert.deepEqual(await search('more'), ['a'])
    await bench.store
      .atomically('search-follow')(async (tx) => {
        await c.in(tx).updateOne('a', { set: { body: 'undone' } })
        assert.deepEqual((await c.in(tx).search({ text: 'undone' })).length, 1)
        throw new Error('no')
      })
      .catch(() => undefined)
    assert.deepEqual(await search('undone'), [])
    assert.deepEqual(await search('after'), ['a'])
    await c.deleteMany({ place: 'x' })
    assert.deepEqual(await search('after'), [])
    // It may take the place of the removed document.
    await c.insert({ id: 'b', body: 'next' })
    assert.deepEqual(await search('after'), [])
    assert.deepEqual(await search('next'), ['b'])
  })
}
