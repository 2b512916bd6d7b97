import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { markdownHeadings } from '@gateway/sdk'
import type { Handoff } from '../src/schema.ts'
import { ACME, start } from './support.ts'

type Set = Awaited<ReturnType<typeof start>>
const write = (set: Set, args: object, as = {}) => set.gateway.call('handoff_write', { repo: 'web', content: 'do it', ...args }, as)
const read = (set: Set, args: object, as = {}) => set.gateway.call('handoff_read', args, as)
const contents = (entries: readonly Handoff[]) => entries.map(({ content }) => content)

test('each handoff_write adds one entry, with all that was given, and changes none before it', async () => {
  await using set = await start()
  const given = { content: '## Left\n\nAll of it.', summary: 'Half done', author: 'ada', branch: 'main', machine: 'box', sessionId: 's-1' }
  const first = await write(set, given)
  assert.deepEqual(first.handoff, {
    handoffId: first.handoff.handoffId,
    repo: 'web',
    ...given,
    authorPrincipal: 'operator',
    createdAt: new Date(set.gateway.clock.now()).toISOString(),
  })
  assert.deepEqual([first.entries, first.mirrored], [1, true])
  const second = await write(set, { content: '## Left\n\nAll of it.' })
  assert.notEqual(second.handoff.handoffId, first.handoff.handoffId)
  const { history } = await read(set, { repo: 'web', history: 5 })
  assert.deepEqual(history, [second.handoff, first.handoff])
})

test('with repo the latest entry and the total are read, and with history so many entries, newest first', async () => {
  await using set = await start()
  assert.deepEqual(await read(set, { repo: 'web' }), { repo: 'web', latest: null, total: 0 })
  for (const content of ['1', '2', '3']) await write(set, { content })
  const plain = await read(set, { repo: 'web' })
  assert.deepEqual([plain.latest.content, plain.total, 'history' in plain], ['3', 3, false])
  assert.deepEqual(contents((await read(set, { repo: 'web', history: 2 })).history), ['3', '2'])
  assert.deepEqual(contents((await read(set, { repo: set.web, history: 9 })).history), ['3', '2', '1'])
  await assert.rejects(read(set, { repo: 'web', history: -1 }), { code: 'BAD_REQUEST' })
})

test('without repo the latest of each is listed, the newest repo first, as many as asked, long ones cut', async () => {
  await using set = await start()
  for (const [repo, content] of [
    ['web', 'a'],
    ['web', 'b'],
    ['elsewhere', 'c'],
    ['hub', 'd'.repeat(5_000)],
  ] as const) {
    set.gateway.clock.advance(1)
    await write(set, { repo, content })
  }
  const { handoffs } = await read(set, {})
  assert.deepEqual(
    handoffs.map(({ repo, entries, content, truncated }: Handoff & { entries: number; truncated?: boolean }) => [
      repo,
      entries,
      content.length,
      truncated,
    ]),
    [
      ['hub', 1, 4_000, true],
      ['elsewhere', 1, 1, undefined],
      ['web', 2, 1, undefined],
    ],
  )
  assert.equal((await read(set, { limit: 1 })).handoffs.length, 1)
})

test('an answer with a long history ends early and says so', async () => {
  await using set = await start()
  for (let at = 0; at < 9; at++) await write(set, { repo: 'elsewhere', content: 'x'.repeat(131_072) })
  const { history, total, truncated } = await read(set, { repo: 'elsewhere', history: 9 })
  assert.deepEqual([history.length, total, truncated], [7, 9, true])
})

test('an entry is copied into the handoff file as one section of level 2, whatever headings and fences it has', async () => {
  await using set = await start()
  await write(set, { summary: 'First', author: 'ada', content: '# Big\n\nSmall\n---\n\n###### Least\n\ntext' })
  await write(set, { content: '```\nopen' })
  await write(set, { content: '# x\n\n```\nopen too' })
  await write(set, { content: 'last' })
  const file = await set.read('web', 'HANDOFF.md')
  assert.deepEqual(
    markdownHeadings(file).map(({ level, words }) => [level, words.replace(/^\S+Z /, '')]),
    [
      [2, 'First'],
      [3, 'Big'],
      [4, 'Small'],
      [6, 'Least'],
      [2, 'Handoff'],
      [2, 'Handoff'],
      [2, 'Handoff'],
    ],
  )
  assert.match(file, /author: ada/)
  assert.match(file, /> ```\n> open\n/)
  assert.match(file, /> ```\n> open too\n/)
})

test('a repo without a folder here has its entries in the store, and the answer says so', async () => {
  await using set = await start()
  const { mirrored, reason, handoff } = await write(set, { repo: 'elsewhere' })
  assert.deepEqual([mirrored, /elsewhere has no folder/.test(reason), handoff.repo], [false, true, 'elsewhere'])
  assert.equal((await write(set, { repo: '/no/such/elsewhere' })).handoff.repo, 'elsewhere')
})

test('what could not be copied is kept, and copied once it can be, once and in order', async () => {
  await using set = await start()
  await mkdir(set.file('web', 'HANDOFF.md'), { recursive: true })
  const answer = await write(set, { content: 'first' })
  assert.deepEqual([answer.mirrored, /it is no file/.test(answer.reason), answer.entries], [false, true, 1])
  await write(set, { content: 'second' })
  await rm(set.file('web', 'HANDOFF.md'), { recursive: true })
  await set.gateway.runJob('state.mirror')
  await set.gateway.runJob('state.mirror')
  const file = await set.read('web', 'HANDOFF.md')
  assert.deepEqual(file.match(/first|second/g), ['first', 'second'])
  assert.deepEqual((await set.gateway.documents())['state.due-mirrors'], [])
})

test('a handoff file that is full goes into the archive as it is, and a new one begins', async () => {
  await using set = await start()
  const full = `${'x'.repeat(520_000)}\n`
  await set.put('web', 'HANDOFF.md', full)
  assert.equal((await write(set, { content: 'y'.repeat(10_000) })).mirrored, true)
  const [archived = '', ...more] = await readdir(join(set.web, '.gateway', 'archive'))
  assert.equal(await readFile(join(set.web, '.gateway', 'archive', archived), 'utf8'), full)
  assert.match(archived, /^HANDOFF-\d{4}-.*\.md$/)
  assert.deepEqual(more, [])
  assert.match(await set.read('web', 'HANDOFF.md'), /yyy/)
})

test('entries of many at once are all there, and counted', async () => {
  await using set = await start()
  await Promise.all(Array.from({ length: 20 }, (_, at) => write(set, { content: `entry ${at}.` })))
  const { total, latest, history } = await read(set, { repo: 'web', history: 100 })
  assert.deepEqual([total, history.length, history[0]], [20, 20, latest])
  const file = await set.read('web', 'HANDOFF.md')
  assert.equal(new globalThis.Set(file.match(/entry \d+\./g)).size, 20)
  assert.equal(file.match(/entry \d+\./g)?.length, 20)
})

test('a tenant’s entries are its own, for repos by name, and never come into a file', async () => {
  await using set = await start()
  await write(set, { content: 'the operator’s' })
  const theirs = await write(set, { content: 'theirs' }, ACME)
  assert.deepEqual([theirs.entries, theirs.mirrored], [1, false])
  assert.deepEqual(contents((await read(set, {}, ACME)).handoffs), ['theirs'])
  assert.doesNotMatch(await set.read('web', 'HANDOFF.md'), /theirs/)
  await write(set, { repo: set.web, content: 'theirs too' }, ACME)
  assert.doesNotMatch(await set.read('web', 'HANDOFF.md'), /theirs/)
})

test('bad input is refused by name and adds nothing', async () => {
  await using set = await start()
  const wrong: [object, string][] = [
    [{ content: ' ' }, 'content'],
    [{ content: 1 }, 'content'],
    [{ repo: '' }, 'repo'],
    [{ repo: '\0' }, 'repo'],
    [{ repo: 'web\u0007' }, 'repo'],
    [{ author: '\0' }, 'author'],
    [{ summary: 'two\nlines' }, 'summary'],
    [{ extra: 1 }, 'extra'],
  ]
  for (const [args, field] of wrong)
    await assert.rejects(write(set, args), ({ code, details }) => code === 'BAD_REQUEST' && details.field === field, field)
  assert.equal((await read(set, { repo: 'web' })).total, 0)
})
