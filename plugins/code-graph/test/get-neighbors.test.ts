import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodes, start } from './support.ts'

const files = {
  'lib.ts':
    'export function work() { helper() }\nfunction helper() {}\nexport class Box { open() { this.shut() } shut() {} }\nexport default function main() {}',
  'barrel.ts': "export * from './lib'\nexport { work as toil, default as go } from './lib'",
  'app.ts':
    "import go, { Box } from './lib'\nimport { toil } from './barrel'\nimport * as ns from './barrel'\nimport React from 'react'\nexport function run() { toil(); ns.work(); go() }\nnew Box()\n",
  'lib.test.ts': "import { work } from './barrel'\nwork()",
  'other.ts': 'export function work() {}',
  'README.md': 'import work',
}

test('a file imports, calls and is tested, each under its type; nothing of its contents is shown', async () => {
  await using set = await start(files)
  const out = await set.call('get_neighbors', { node: 'app.ts' })
  assert.deepEqual(nodes(out, 'import'), ['barrel.ts', 'lib.ts', 'react'])
  assert.deepEqual(nodes(out, 'calls'), ['lib.ts#Box', 'lib.ts#main', 'lib.ts#work'])
  assert.deepEqual(nodes(out, 'tests_of'), [])
  for (const one of out.neighbors) assert.deepEqual(Object.keys(one).sort(), ['direction', 'edge', 'kind', 'node', 'of'])
  assert.ok(!JSON.stringify(out).includes('function'))
})

test('direction is out when it is left out; in and both are the other ways', async () => {
  await using set = await start(files)
  const ask = (direction?: string) => set.call('get_neighbors', { node: 'lib.ts', ...(direction && { direction }) })
  assert.deepEqual((await ask()).neighbors, (await ask('out')).neighbors)
  const into = await ask('in')
  assert.deepEqual(nodes(into, 'import'), ['app.ts', 'barrel.ts'])
  assert.deepEqual(nodes(into, 'calls'), ['app.ts', 'app.ts#run', 'lib.test.ts'])
  assert.deepEqual(nodes(into, 'tests_of'), ['lib.test.ts'])
  assert.equal((await ask('both')).count, (await ask('out')).count + into.count)
})

test('a test is of the files whose names it imports, over re-exports', async () => {
  await using set = await start(files)
  assert.deepEqual(nodes(await set.call('get_neighbors', { node: 'lib.test.ts' }), 'tests_of'), ['barrel.ts', 'lib.ts'])
})

test('a symbol is named by file and name, or by its name alone, which several files may have', async () => {
  await using set = await start(files)
  const one = await set.call('get_neighbors', { node: 'lib.ts#work', direction: 'both' })
  assert.deepEqual(nodes(one, 'calls'), ['app.ts#run', 'lib.test.ts', 'lib.ts#helper'])
  assert.deepEqual(nodes(one, 'import'), ['app.ts', 'lib.test.ts'])
  assert.deepEqual((await set.call('get_neighbors', { node: 'work' })).nodes, ['lib.ts#work', 'other.ts#work'])
  assert.deepEqual(nodes(await set.call('get_neighbors', { node: 'Box.open' }), 'calls'), ['lib.ts#Box.shut'])
})

test('edgeTypes takes the named ones alone, and all when it is left out or empty', async () => {
  await using set = await start(files)
  const edges = async (edgeTypes?: string[]) => {
    const { neighbors } = await set.call('get_neighbors', { node: 'app.ts', ...(edgeTypes && { edgeTypes }) })
    return [...new Set(neighbors.map(({ edge }: { edge: string }) => edge))].sort()
  }
  assert.deepEqual(await edges(['calls']), ['calls'])
  assert.deepEqual(await edges(), ['calls', 'import'])
  assert.deepEqual(await edges([]), ['calls', 'import'])
  await assert.rejects(set.call('get_neighbors', { node: 'app.ts', edgeTypes: ['extends'] }), { code: 'BAD_REQUEST' })
  await assert.rejects(set.call('get_neighbors', { node: 'app.ts', direction: 'up' }), { code: 'BAD_REQUEST' })
})

test('what is no file and no symbol is NOT_FOUND', async () => {
  await using set = await start(files)
  for (const node of ['gone.ts', 'lib.ts#gone', 'README.md'])
    await assert.rejects(set.call('get_neighbors', { node }), { code: 'NOT_FOUND' })
})
