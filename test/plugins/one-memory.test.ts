import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const folder = await mkdtemp(join(tmpdir(), 'gateway-one-memory-'))
const [root, web] = [join(folder, 'hub'), join(folder, 'web')]
for (const repo of [root, web]) await mkdir(join(repo, '.gateway'), { recursive: true })
await writeFile(join(root, 'managed-repos.json'), JSON.stringify([{ name: 'web', path: web }]))
after(() => rm(folder, { recursive: true, force: true }))
const skip = spawnSync('git', ['--version']).error !== undefined && 'no git'
const start = (): Promise<TestGateway> => startTestGateway({ plugins: standardPlugins, env: { GATEWAY_ROOT: root } })

const atom = (kind: string, word: string, more: object = { repo: 'web' }): readonly [string, object] => [
  'brain_commit',
  { kind, slug: word, content: `# Of ${word}\n\nThe ${word} was moved to the cellar.`, ...more },
]
/** A distinct word for each way of writing, and the call that writes it. */
const WRITES: Readonly<Record<string, readonly [string, object]>> = {
  marimba: atom('memory', 'marimba', {}),
  sextant: atom('session', 'sextant'),
  theremin: atom('handoff', 'theremin'),
  astrolabe: ['handoff_write', { repo: 'web', content: 'The astrolabe was moved to the cellar.' }],
  celesta: ['handoff_write', { repo: 'nowhere', content: 'The celesta was moved to the cellar.' }],
  heliograph: ['state_update', { repo: 'web', heading: '## Now', content: 'The heliograph was moved to the cellar.' }],
  clavinet: ['state_update', { repo: 'nowhere', heading: '## Now', content: 'The clavinet was moved to the cellar.' }],
  quadrant: ['memory_store', { repo: 'web', content: 'The quadrant was moved to the cellar.', sessionId: 's1' }],
}
const SESSIONS = ['sextant', 'theremin', 'astrolabe', 'celesta', 'quadrant']
const repoOf = (word: string): string => (['celesta', 'clavinet'].includes(word) ? 'nowhere' : 'web')

test('what any tool has written is found by every search as soon as the write is acknowledged', { skip }, async () => {
  await using gateway = await start()
  const has = async (word: string, tool: string, args: object): Promise<boolean> =>
    JSON.stringify(await gateway.call(tool, args)).includes(`The ${word} was moved`)
  for (const [word, [tool, args]] of Object.entries(WRITES)) {
    await gateway.call(tool, args)
    const [query, repo] = [word, repoOf(word)]
    const found = {
      memory_search: await has(word, 'memory_search', { query }),
      'memory_search of the repo': await has(word, 'memory_search', { query, repo }),
      memory_context: await has(word, 'memory_context', { query, repo }),
      'context_boot snippets': await has(word, 'context_boot', { query, repo }),
      recall_session: await has(word, 'recall_session', { query }),
      ...(tool === 'brain_commit' && {
        brain_search: await has(word, 'brain_search', { query }),
        'brain_search of the repo': await has(word, 'brain_search', { query, repo }),
      }),
    }
    const expected = Object.fromEntries(Object.keys(found).map((cell) => [cell, cell !== 'recall_session' || SESSIONS.includes(word)]))
    assert.deepEqual(found, expected, word)
  }
  const { totalStored, totalRemoved } = await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual([totalStored, totalRemoved], [0, 0], 'a reindex has nothing left to do')
})

test('an atom of an unmerged branch is found by callers on that branch alone, and by all once it is merged', { skip }, async () => {
  await using gateway = await start()
  await gateway.call('brain_branch', { slug: 'try' })
  await gateway.call('brain_commit', { kind: 'memory', slug: 'idea', content: 'The orrery is driven by a weight.' })
  const counts = async () => [
    (await gateway.call('memory_search', { query: 'orrery' })).count,
    (await gateway.call('context_boot', { query: 'orrery', repo: 'web' })).snippets.length,
  ]
  assert.deepEqual(await counts(), [1, 1])
  await gateway.call('brain_checkout', { ref: 'main' })
  assert.deepEqual(await counts(), [0, 0])
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await counts(), [0, 0], 'a reindex publishes no branch')
  await gateway.call('brain_merge', { branch: 'idea/try' })
  assert.deepEqual(await counts(), [1, 1])
})

test('a file that another program changed is found after a start and within the hour', { skip }, async () => {
  await using gateway = await start()
  const found = async (query: string): Promise<number> => (await gateway.call('memory_search', { query, source: 'state' })).count
  await writeFile(join(web, '.gateway', 'STATE.md'), '# State\n\nThe gnomon is bent.\n')
  await gateway.runJob('memory.follow-files')
  assert.equal(await found('gnomon'), 1)
  await writeFile(join(web, '.gateway', 'STATE.md'), '# State\n\nThe gnomon was replaced by a dioptra.\n')
  await gateway.runJob('memory.follow-files')
  assert.equal(await found('dioptra'), 0, 'the hour is not over')
  gateway.clock.advance(3_601)
  await gateway.runJob('memory.follow-files')
  assert.equal(await found('dioptra'), 1)
})

test('a forgotten atom, handoff and state leave every search, and no reindex brings them back', { skip }, async () => {
  await using gateway = await start()
  const { atom } = await gateway.call(...(WRITES.sextant as [string, object]))
  for (const word of ['celesta', 'clavinet']) await gateway.call(...(WRITES[word] as [string, object]))
  const path = `/api/memory/${encodeURIComponent(atom.path)}`
  assert.deepEqual((await gateway.inject({ method: 'DELETE', url: path })).json(), { forgotten: 1 })
  assert.equal((await gateway.inject({ method: 'DELETE', url: path })).status, 404)
  assert.deepEqual(await gateway.call('memory_forget', { query: 'moved cellar', repo: 'nowhere', preview: true }), { forgotten: 2 })
  assert.deepEqual(await gateway.call('memory_forget', { query: 'moved cellar', repo: 'nowhere' }), { forgotten: 2 })
  await gateway.call('memory_reindex', { scope: 'all' })
  for (const query of ['sextant', 'celesta', 'clavinet']) {
    assert.equal((await gateway.call('memory_search', { query })).count, 0, query)
    assert.equal((await gateway.call('brain_search', { query })).hits.length, 0, query)
  }
  const left = [
    await gateway.call('handoff_read', { repo: 'nowhere', history: 5 }),
    await gateway.call('context_boot', { repo: 'nowhere', query: 'celesta clavinet sextant', budget: 8_000 }),
    await gateway.call('state_read', { repo: 'nowhere' }),
  ]
  assert.doesNotMatch(JSON.stringify(left), /moved to the cellar/)
})

test('what is forgotten of an archive leaves the index, and the rest of the archive stays in it', { skip }, async () => {
  await using gateway = await start()
  const archive = join(web, '.gateway', 'archive')
  await mkdir(archive)
  await writeFile(join(archive, 'STATE-2026-01.md'), '## Monday\n\nThe ondes were tuned.\n\n## Tuesday\n\nThe zither was restrung.\n')
  const found = async (): Promise<boolean[]> => {
    const results = JSON.stringify(await gateway.call('memory_search', { query: 'ondes zither' }))
    return ['ondes were', 'zither was'].map((words) => results.includes(words))
  }
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await found(), [true, true])
  await gateway.call('memory_forget', { query: 'ondes' })
  assert.deepEqual(await found(), [false, true])
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await found(), [false, true])
})
