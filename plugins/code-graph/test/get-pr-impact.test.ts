import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const files = {
  'core.ts': 'export function core() {}',
  'mid.ts': "import { core } from './core'\nexport function mid() { core() }",
  'top.ts': "import { mid } from './mid'\nmid()",
  'top.test.ts': "import './top'",
  'core.test.ts': "import { core } from './core'\ncore()",
  'alone.ts': 'export const alone = 1',
}
const paths = (answer: { affectedFiles: { file: string }[] }) => answer.affectedFiles.map(({ file }) => file)

test('it answers with the files that import the changed ones, the callers and the tests', async () => {
  await using set = await start(files)
  const answer = await set.call('get_pr_impact', { files: ['core.ts'] })
  assert.deepEqual(answer.affectedFiles, [
    { file: 'core.test.ts', depth: 1 },
    { file: 'mid.ts', depth: 1 },
    { file: 'top.ts', depth: 2 },
    { file: 'top.test.ts', depth: 3 },
  ])
  assert.deepEqual(answer.callers, [
    { caller: 'core.test.ts', calls: 'core.ts#core' },
    { caller: 'mid.ts#mid', calls: 'core.ts#core' },
  ])
  assert.deepEqual(answer.affectedTests, ['core.test.ts', 'top.test.ts'])
  assert.deepEqual([answer.untestedFiles, answer.unknownFiles, answer.truncated], [[], [], false])
})

test('maxDepth is 6 when it is left out, ends the walk where it is given, and is cut to 50', async () => {
  const chain = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}.ts`, at === 0 ? '' : `import './f${at - 1}'`]))
  await using set = await start(chain)
  const depth = async (args: object) => paths(await set.call('get_pr_impact', { files: ['f0.ts'], ...args })).length
  assert.equal(await depth({}), 6)
  assert.equal(await depth({ maxDepth: 2 }), 2)
  assert.equal(await depth({ maxDepth: 1_000 }), 8)
  await assert.rejects(set.call('get_pr_impact', { files: ['f0.ts'], maxDepth: 0 }), { code: 'BAD_REQUEST' })
})

test('without files it takes what the branch changed since it left its base; with files git is not asked', async () => {
  await using set = await start(files)
  set.git('init', '-q')
  set.git('add', '-A')
  set.git('commit', '-qm', 'begin')
  set.git('checkout', '-qb', 'feature')
  await set.write({ 'mid.ts': `${files['mid.ts']}\n// more` })
  set.git('commit', '-qam', 'more')
  set.git('checkout', '-q', 'main')
  await set.write({ 'alone.ts': '// of main alone' })
  set.git('commit', '-qam', 'main goes on')
  const answer = await set.call('get_pr_impact', { base: 'main', head: 'feature' })
  assert.deepEqual([answer.changedFiles, paths(answer)], [1, ['top.ts', 'top.test.ts']])
  assert.deepEqual(paths(await set.call('get_pr_impact', { files: ['alone.ts'], base: 'main', head: 'feature' })), [])
  assert.deepEqual(paths(await set.call('get_pr_impact', { files: ['alone.ts'], base: 'no such', head: '--option' })), [])
})

test('an empty list of files beside base and head is absent', async () => {
  await using set = await start(files)
  set.git('init', '-q')
  set.git('add', '-A')
  set.git('commit', '-qm', 'begin')
  set.git('checkout', '-qb', 'feature')
  await set.write({ 'mid.ts': `${files['mid.ts']}\n// more` })
  set.git('commit', '-qam', 'more')
  const refs = { base: 'feature~1', head: 'feature' }
  assert.deepEqual(paths(await set.call('get_pr_impact', { files: [], ...refs })), paths(await set.call('get_pr_impact', refs)))
  const { prs } = await set.call('triage_prs', { prs: [{ id: 'a', files: [], ...refs }] })
  assert.equal(prs[0].changedFiles, 1)
  await assert.rejects(set.call('get_pr_impact', { files: [], base: 'main' }), { code: 'BAD_REQUEST', message: /`head` is missing/ })
})

test('a ref that is none names its argument, and so does one that is missing', async () => {
  await using set = await start(files)
  set.git('init', '-q')
  set.git('add', '-A')
  set.git('commit', '-qm', 'begin')
  const field = (field: string) => (error: unknown) => (error as { details?: { field?: string } }).details?.field === field
  await assert.rejects(set.call('get_pr_impact', { base: 'main', head: '--output=x' }), field('head'))
  await assert.rejects(set.call('get_pr_impact', { base: 'main..main', head: 'main' }), field('base'))
  await assert.rejects(set.call('get_pr_impact', { base: 'main' }), field('head'))
  await assert.rejects(set.call('get_pr_impact', {}), field('base'))
})

test('a file that is gone still affects those that import it', async () => {
  await using set = await start(files)
  await set.remove('core.ts')
  const answer = await set.call('get_pr_impact', { files: ['core.ts'] })
  assert.deepEqual(answer.unknownFiles, ['core.ts'])
  assert.deepEqual(paths(answer), ['core.test.ts', 'mid.ts', 'top.ts', 'top.test.ts'])
})

test('changed sources without a test are named', async () => {
  await using set = await start(files)
  assert.deepEqual((await set.call('get_pr_impact', { files: ['core.ts', './alone.ts', 'top.test.ts'] })).untestedFiles, ['alone.ts'])
})

test('a Python package is followed: modules, calls, tests', async () => {
  await using set = await start({
    'pkg/__init__.py': 'from .core import work',
    'pkg/core.py': 'def work(): pass',
    'pkg/use.py': 'from pkg import work\nclass Job:\n    def run(self):\n        return work()\n',
    'tests/test_core.py': 'from pkg.core import work\n\ndef test_it():\n    work()\n',
  })
  const answer = await set.call('get_pr_impact', { files: ['pkg/core.py'] })
  assert.deepEqual(paths(answer).sort(), ['pkg/__init__.py', 'pkg/use.py', 'tests/test_core.py'])
  assert.deepEqual(
    answer.callers.map(({ caller }: { caller: string }) => caller),
    ['pkg/use.py#Job.run', 'tests/test_core.py#test_it'],
  )
  assert.deepEqual(answer.affectedTests, ['tests/test_core.py'])
})
