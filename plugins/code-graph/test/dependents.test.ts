import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const files = {
  'lib.ts': 'export function work() {}\nexport function rest() {}',
  'middle.ts': "import { work } from './lib'\nexport function run() { work() }\nexport { rest } from './lib'",
  'app.ts': "import { run } from './middle'\nexport function main() { run() }",
  'far.ts': "import { main } from './app'\nmain()",
  'lib.test.ts': "import { work } from './lib'\nwork()",
}
type Answer = {
  nodes: { node: string; sort: string; distance: number }[]
  edges: { dependency: string; dependent: string; edge: string }[]
  truncated: boolean
}
const named = ({ nodes }: Answer): Record<string, string> =>
  Object.fromEntries(nodes.map(({ node, sort, distance }) => [node, `${sort} ${distance}`]))
const joined = ({ edges }: Answer): string[] => edges.map(({ dependency, dependent, edge }) => `${dependency} ${edge} ${dependent}`).sort()

test('the impact of a file has its importers and tests, their importers, and the edges between them', async () => {
  await using set = await start(files)
  const answer: Answer = await set.call('code-graph.dependents', { node: 'lib.ts' })
  assert.deepEqual(named(answer), { 'lib.ts': 'changed 0', 'middle.ts': 'dependent 1', 'lib.test.ts': 'test 1', 'app.ts': 'dependent 2' })
  assert.deepEqual(joined(answer), ['lib.ts import middle.ts', 'lib.ts tests_of lib.test.ts', 'middle.ts import app.ts'])
  const one: Answer = await set.call('code-graph.dependents', { node: 'lib.ts', maxDistance: 1 })
  assert.deepEqual(Object.keys(named(one)).sort(), ['lib.test.ts', 'lib.ts', 'middle.ts'])
  assert.ok('far.ts' in named(await set.call('code-graph.dependents', { node: 'lib.ts', maxDistance: 3 })))
})

test('the impact of a symbol follows its callers', async () => {
  await using set = await start(files)
  const answer: Answer = await set.call('code-graph.dependents', { node: 'lib.ts#work' })
  assert.deepEqual(joined(answer), [
    'lib.ts#work calls middle.ts#run',
    'lib.ts#work tests_of lib.test.ts',
    'middle.ts#run calls app.ts#main',
  ])
})

test('the impact keeps the nearest 150 and says that more depend on it; an unknown file is NOT_FOUND', async () => {
  const importers = Object.fromEntries(Array.from({ length: 160 }, (_, n) => [`user${n}.ts`, "import { work } from './lib'"]))
  await using set = await start({ 'lib.ts': 'export function work() {}', ...importers })
  const { nodes, edges, truncated } = (await set.call('code-graph.dependents', { node: 'lib.ts' })) as Answer
  assert.deepEqual([nodes.length, edges.length, truncated], [150, 149, true])
  await assert.rejects(set.call('code-graph.dependents', { node: 'gone.ts' }), { code: 'NOT_FOUND' })
  await assert.rejects(set.call('code-graph.dependents', { node: 'lib.ts', maxDistance: 0 }), { code: 'BAD_REQUEST' })
})
