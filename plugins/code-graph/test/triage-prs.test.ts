import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

const files = {
  'core.ts': 'export function core() {}',
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`use${at}.ts`, "import { core } from './core'\ncore()"])),
  'leaf.ts': '',
  'leaf.test.ts': "import './leaf'",
}

test('the riskiest stands first, with what makes it risky', async () => {
  await using set = await start(files)
  const { prs } = await set.call('triage_prs', {
    prs: [
      { id: 'small', label: 'A leaf', files: ['leaf.ts'] },
      { id: 'big', files: ['core.ts'] },
    ],
  })
  assert.deepEqual(
    prs.map(({ id }: { id: string }) => id),
    ['big', 'small'],
  )
  assert.ok(prs[0].risk > prs[1].risk)
  assert.deepEqual([prs[0].affectedFiles, prs[0].callers, prs[0].untestedFiles, prs[0].affectedTests], [10, 10, ['core.ts'], 0])
  assert.deepEqual([prs[1].label, prs[1].affectedTests, prs[1].untestedFiles, prs[1].level], ['A leaf', 1, [], 'low'])
})

test('those that change the same files say so, and are the riskier for it', async () => {
  await using set = await start(files)
  const alone = await set.call('triage_prs', { prs: [{ id: 'a', files: ['leaf.ts'] }] })
  const both = await set.call('triage_prs', {
    prs: [
      { id: 'a', files: ['leaf.ts'] },
      { id: 'b', files: ['leaf.ts'] },
    ],
  })
  assert.deepEqual(
    both.prs.map((one: { sharesFilesWith: string[] }) => one.sharesFilesWith),
    [['b'], ['a']],
  )
  assert.ok(both.prs[0].risk > alone.prs[0].risk)
})

test('each needs files, or both base and head: else the list is refused, and the entry named', async () => {
  await using set = await start(files)
  const refused = (prs: object[], field: string) =>
    assert.rejects(set.call('triage_prs', { prs }), (error) => (error as { details?: { field?: string } }).details?.field === field)
  await refused([{ id: 'a', files: [] }, { id: 'b' }], 'prs[1]')
  await refused([{ id: 'a', base: 'main' }], 'prs[0]')
  await refused([{ id: 'a', head: 'main' }], 'prs[0]')
  await refused(
    [
      { id: 'a', files: [] },
      { id: 'a', files: [] },
    ],
    'prs[1].id',
  )
})

test('base and head are looked up in git', async () => {
  await using set = await start(files)
  set.git('init', '-q')
  set.git('add', '-A')
  set.git('commit', '-qm', 'begin')
  set.git('checkout', '-qb', 'feature')
  await set.write({ 'core.ts': `${files['core.ts']} // more` })
  set.git('commit', '-qam', 'more')
  const { prs } = await set.call('triage_prs', { prs: [{ id: '1', base: 'main', head: 'feature' }], maxDepth: 1 })
  assert.deepEqual([prs[0].changedFiles, prs[0].affectedFiles], [1, 10])
  assert.deepEqual((await set.call('triage_prs', { prs: [] })).prs, [])
})
