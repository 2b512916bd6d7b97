import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodes, start } from './support.ts'

const CONFLICT = "<<<<<<< HEAD\nimport './b'\n=======\nimport './c'\n>>>>>>> other\nexport const x = 1"

test('a file with conflict markers keeps its edges, is named as unreadable, and is readable once they are gone', async () => {
  await using set = await start({ 'a.ts': CONFLICT, 'b.ts': '', 'c.ts': '', 'use.ts': "import { x } from './a'" })
  const ask = (node: string) => set.call('get_neighbors', { node, edgeTypes: ['import'] })
  const broken = await ask('a.ts')
  assert.deepEqual(nodes(broken, 'import'), ['b.ts', 'c.ts'])
  assert.deepEqual(broken.graph, { files: 4, unreadable: 1, unreadablePaths: ['a.ts'], otherSources: 0, complete: true })
  const { affectedFiles } = await set.call('get_pr_impact', { files: ['c.ts'] })
  assert.deepEqual(
    affectedFiles.map(({ file }: { file: string }) => file),
    ['a.ts', 'use.ts'],
  )
  await set.write({ 'a.ts': "import './b'" })
  const mended = await ask('a.ts')
  assert.deepEqual([nodes(mended, 'import'), mended.graph.unreadable, mended.graph.unreadablePaths], [['b.ts'], 0, []])
})

test('the first unreadable paths are listed in every answer, at most twenty of them, after a restart too', async () => {
  const broken = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${String(at).padStart(2, '0')}.ts`, CONFLICT]))
  await using set = await start({ ...broken, 'b.ts': '', 'c.ts': "import './b'" })
  const first = Array.from({ length: 20 }, (_, at) => `f${String(at).padStart(2, '0')}.ts`)
  const asks = [
    () => set.call('get_neighbors', { node: 'c.ts' }),
    () => set.call('get_pr_impact', { files: ['b.ts'] }),
    () => set.call('triage_prs', { prs: [{ id: '1', files: ['b.ts'] }] }),
    () => set.call('shortest_path', { src: 'c.ts', dst: 'b.ts' }),
  ]
  for (const restart of [false, true]) {
    if (restart) await set.gateway.restart()
    for (const ask of asks) {
      const { graph } = await ask()
      assert.deepEqual([graph.unreadable, graph.unreadablePaths], [30, first])
    }
  }
})

test('components are files of the graph: they import and are imported, with their ending or without', async () => {
  await using set = await start({
    'main.ts': "import App from './App.vue'\nimport Side from './Side'\nApp()",
    'App.vue':
      "<template><Side/></template>\n<script setup lang=\"ts\">\nimport { load } from './api'\nimport Side from './Side.vue'\nload()\n</script>",
    'Side.vue': "<script>import { load } from './api'; export default { created() { load() } }</script>",
    'api.ts': 'export function load() {}',
  })
  const { affectedFiles, graph } = await set.call('get_pr_impact', { files: ['api.ts'] })
  assert.deepEqual(affectedFiles, [
    { file: 'App.vue', depth: 1 },
    { file: 'Side.vue', depth: 1 },
    { file: 'main.ts', depth: 2 },
  ])
  assert.deepEqual([graph.files, graph.complete], [4, true])
  assert.deepEqual(nodes(await set.call('get_neighbors', { node: 'main.ts' }), 'calls'), ['App.vue#default'])
})

test('sources of languages that are not read are counted, and the graph does not claim to be complete', async () => {
  await using set = await start({
    '.gitignore': 'gen/\n',
    'a.ts': '',
    'cmd/main.go': '',
    'src/lib.rs': '',
    'gen/x.go': '',
    'README.md': '',
    'run.sh': '',
  })
  const graph = async () => (await set.call('get_neighbors', { node: 'a.ts' })).graph
  assert.deepEqual(await graph(), { files: 1, unreadable: 0, unreadablePaths: [], otherSources: 2, complete: false })
  await set.remove('cmd')
  await set.write({ 'src/two.rs': '', 'src/three.py': '' })
  assert.deepEqual(await graph(), { files: 2, unreadable: 0, unreadablePaths: [], otherSources: 2, complete: false })
  await set.remove('src')
  assert.deepEqual(await graph(), { files: 1, unreadable: 0, unreadablePaths: [], otherSources: 0, complete: true })
})
