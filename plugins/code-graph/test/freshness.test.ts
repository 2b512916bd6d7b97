import assert from 'node:assert/strict'
import { readdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodes, start } from './support.ts'

const imports = async (set: Awaited<ReturnType<typeof start>>, node: string, more = {}) =>
  nodes(await set.call('get_neighbors', { node, edgeTypes: ['import'], ...more }), 'import')

/** Enough folders that not all of them are checked with each question. */
const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}/x.ts`, '']))

for (const [size, files] of [
  ['a small repo', {}],
  ['a large repo', many],
] as const) {
  test(`in ${size}, what is saved, added, moved or deleted is in the next answer`, async () => {
    await using set = await start({ ...files, 'a.ts': "import './b'", 'b.ts': '', 'deep/c.ts': "import '../a'" })
    assert.deepEqual(await imports(set, 'a.ts'), ['b.ts'])
    await set.write({ 'a.ts': "import './c'", 'c.ts': '' })
    assert.deepEqual(await imports(set, 'a.ts'), ['c.ts'])
    assert.deepEqual(await imports(set, 'b.ts', { direction: 'in' }), [])
    await set.remove('c.ts')
    assert.deepEqual(await imports(set, 'a.ts'), [])
    await set.write({ 'c/index.ts': "import '../deep/c'" })
    assert.deepEqual(await imports(set, 'a.ts'), ['c/index.ts'])
    assert.deepEqual(await imports(set, 'deep/c.ts', { direction: 'in' }), ['c/index.ts'])
    await set.remove('deep')
    assert.deepEqual(await imports(set, 'c/index.ts'), [])
    await set.write({ 'deep/c.ts': "import '../b'" })
    assert.deepEqual(await imports(set, 'b.ts', { direction: 'in' }), ['deep/c.ts'])
  })
}

test('what an editor saves by a rename, and what a commit or another branch brings, is in the next answer', async () => {
  await using set = await start({ ...many, 'deep/a.ts': "import '../f1/x'" })
  set.git('init', '-q')
  set.git('add', '-A')
  set.git('commit', '-qm', 'begin')
  assert.deepEqual(await imports(set, 'deep/a.ts'), ['f1/x.ts'])
  await set.write({ 'deep/.a.ts.swp': "import '../f2/x'" })
  await rename(join(set.root, 'deep/.a.ts.swp'), join(set.root, 'deep/a.ts'))
  assert.deepEqual(await imports(set, 'deep/a.ts'), ['f2/x.ts'])
  set.git('checkout', '-qb', 'feature')
  set.git('commit', '-qam', 'saved')
  assert.deepEqual(await imports(set, 'deep/a.ts'), ['f2/x.ts'])
  set.git('checkout', '-q', 'main')
  assert.deepEqual(await imports(set, 'f2/x.ts', { direction: 'in' }), [])
  assert.deepEqual(await imports(set, 'deep/a.ts'), ['f1/x.ts'])
  set.git('merge', '-q', 'feature')
  assert.deepEqual(await imports(set, 'f2/x.ts', { direction: 'in' }), ['deep/a.ts'])
})

test('a change of the same length within the same tick is seen', async () => {
  await using set = await start({ 'a.ts': "import './b'", 'b.ts': '', 'c.ts': '' })
  for (let round = 0; round < 5; round++) {
    for (const to of ['c', 'b']) {
      await set.write({ 'a.ts': `import './${to}'` })
      assert.deepEqual(await imports(set, 'a.ts'), [`${to}.ts`])
    }
  }
})

test('a name that moves to another file is followed there, over re-exports', async () => {
  await using set = await start({
    'a.ts': "import { f } from './all'\nf()",
    'all.ts': "export * from './x'\nexport * from './y'",
    'x.ts': 'export function f() {}',
    'y.ts': '',
  })
  const calls = async () => nodes(await set.call('get_neighbors', { node: 'a.ts' }), 'calls')
  assert.deepEqual(await calls(), ['x.ts#f'])
  await set.write({ 'x.ts': '', 'y.ts': 'export function f() {}' })
  assert.deepEqual(await calls(), ['y.ts#f'])
  await set.write({ 'all.ts': "export * from './x'" })
  assert.deepEqual(await calls(), [])
})

test('a changed tsconfig, manifest or .gitignore counts at once', async () => {
  await using set = await start({
    'a.ts': "import '@/b'; import 'pkg'",
    'one/b.ts': '',
    'two/b.ts': '',
    'p/index.ts': '',
    'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./one/*"]}}}',
  })
  assert.deepEqual(await imports(set, 'a.ts'), ['one/b.ts', 'pkg'])
  await set.write({ 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./two/*"]}}}', 'p/package.json': '{"name":"pkg"}' })
  assert.deepEqual(await imports(set, 'a.ts'), ['p/index.ts', 'two/b.ts'])
  await set.write({ '.gitignore': 'two\n' })
  assert.deepEqual(await imports(set, 'a.ts'), ['@/b', 'p/index.ts'].slice(1))
})

test('ignored files, links, other repos inside and node_modules are no part of it', async () => {
  await using set = await start({
    '.gitignore': 'out/\n*.gen.ts\n!keep.gen.ts\n',
    'a.ts': "import './out/x'; import './b.gen'; import './keep.gen'; import './link'; import './inner/y'",
    'out/x.ts': '',
    'b.gen.ts': '',
    'keep.gen.ts': '',
    'real.ts': '',
    'inner/y.ts': '',
    'inner/.git': 'gitdir: elsewhere',
    'node_modules/z/index.js': '',
  })
  await symlink(join(set.root, 'real.ts'), join(set.root, 'link.ts'))
  assert.deepEqual(await imports(set, 'a.ts'), ['keep.gen.ts'])
})

test('after a restart the graph comes from the store, right for what changed meanwhile', async () => {
  await using set = await start({ 'a.ts': "import './b'", 'b.ts': '', 'c.ts': '' })
  await imports(set, 'a.ts')
  assert.ok((await set.gateway.documents())['code-graph.shards']?.length)
  await set.gateway.restart()
  await set.write({ 'a.ts': "import './c'" })
  assert.deepEqual(await imports(set, 'a.ts'), ['c.ts'])
  assert.deepEqual(await imports(set, 'b.ts', { direction: 'in' }), [])
})

test('a helper that dies is replaced, and a file that no parser survives is left out', async () => {
  await using set = await start({
    'a.ts': "import './deep'; import './b'",
    'b.ts': '',
    'deep.js': `x = ${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
  })
  const answer = await set.call('get_neighbors', { node: 'a.ts' })
  assert.deepEqual(nodes(answer, 'import'), ['b.ts', 'deep.js'])
  assert.equal(answer.graph.unreadable, 1)
})

test('nothing is written into the repo', async () => {
  await using set = await start({ 'a.ts': '' })
  await imports(set, 'a.ts')
  assert.deepEqual(await readdir(set.root), ['a.ts'])
})
