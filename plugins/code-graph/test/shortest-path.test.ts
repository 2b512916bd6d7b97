import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const files = {
  'a.ts': "import './b'; import './long'",
  'b.ts': "import { c } from './c'; export const b = () => c()",
  'long.ts': "import './longer'",
  'longer.ts': "import './c'",
  'c.ts': 'export function c() {}',
  'c.test.ts': "import './c'",
  'alone.ts': '',
}

test('the chain is the shortest, from src to dst, both in it', async () => {
  await using set = await start(files)
  const path = async (src: string, dst: string, more = {}) => (await set.call('shortest_path', { src, dst, ...more })).path
  assert.deepEqual(await path('a.ts', 'c.ts'), ['a.ts', 'b.ts', 'c.ts'])
  assert.deepEqual(await path('a.ts', 'a.ts'), ['a.ts'])
  assert.deepEqual(await path('a.ts', 'c.ts#c'), ['a.ts', 'b.ts', 'c.ts'])
  assert.deepEqual(await path('b.ts', 'c.ts', { edgeTypes: ['calls'] }), ['b.ts', 'c.ts'])
  assert.deepEqual(await path('c.test.ts', 'c.ts', { edgeTypes: ['tests_of'] }), ['c.test.ts', 'c.ts'])
})

test('it is null when dst cannot be reached, along the edges or along those of the wanted types', async () => {
  await using set = await start(files)
  const path = async (src: string, dst: string, more = {}) => (await set.call('shortest_path', { src, dst, ...more })).path
  assert.equal(await path('a.ts', 'alone.ts'), null)
  assert.equal(await path('c.ts', 'a.ts'), null)
  assert.equal(await path('a.ts', 'c.ts', { edgeTypes: ['calls'] }), null)
})

test('an end that is not in the graph is NOT_FOUND, by its name', async () => {
  await using set = await start(files)
  await assert.rejects(set.call('shortest_path', { src: 'gone.ts', dst: 'a.ts' }), { code: 'NOT_FOUND', message: /src.*gone\.ts/ })
  await assert.rejects(set.call('shortest_path', { src: 'a.ts', dst: 'gone.ts' }), { code: 'NOT_FOUND', message: /dst.*gone\.ts/ })
})
