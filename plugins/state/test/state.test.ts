import assert from 'node:assert/strict'
import { mkdir, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ACME, start } from './support.ts'

test('state_read gives the file as it is: of the master repo unless another is named, by name or folder', async () => {
  await using set = await start()
  await set.put('hub', 'STATE.md', '# Hub\n  as it is \r\n')
  await set.put('web', 'STATE.md', '# Web\n')
  await set.put('web', 'HANDOFF.md', '# Handed\n')
  const read = (args: object) => set.gateway.call('state_read', args)
  const { updatedAt, ...master } = await read({})
  assert.deepEqual(master, { repo: 'hub', file: 'state', content: '# Hub\n  as it is \r\n' })
  assert.match(updatedAt, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.equal((await read({ repo: 'hub' })).content, master.content)
  assert.equal((await read({ repo: 'web' })).content, '# Web\n')
  assert.equal((await read({ repo: set.web })).repo, 'web')
  assert.equal((await read({ repo: 'web', file: 'handoff' })).content, '# Handed\n')
})

test('what is not there is NOT_FOUND: a file, a folder that is neither managed nor a git repo', async () => {
  await using set = await start()
  await set.put('other', 'STATE.md', 'not managed')
  for (const args of [{}, { repo: 'web' }, { repo: 'other' }, { repo: join(set.folder, 'other') }, { repo: `${set.web}/../other` }])
    await assert.rejects(set.gateway.call('state_read', args), { code: 'NOT_FOUND' }, JSON.stringify(args))
  await assert.rejects(set.gateway.call('state_update', { repo: join(set.folder, 'other'), content: 'x' }), { code: 'NOT_FOUND' })
  assert.equal(await set.read('other', 'STATE.md'), 'not managed')
})

test('any repo name works: the state of one that is not registered lies in the store, and the answers say how to register it', async () => {
  await using set = await start()
  await set.put('brand-new', 'STATE.md', 'a folder of that name is not its folder')
  for (const as of [undefined, ACME]) {
    const call = (tool: string, args: object) => set.gateway.call(tool, { repo: 'brand-new', ...args }, as)
    const { hint, ...updated } = await call('state_update', { heading: '## Next', content: 'begin' })
    assert.deepEqual([updated.repo, updated.bytes], ['brand-new', 15])
    const read = await call('state_read', {})
    assert.equal(read.content, '## Next\n\nbegin\n')
    const written = await call('handoff_write', { content: 'handed' })
    assert.deepEqual([written.mirrored, written.reason], [false, `brand-new has no folder on this machine. ${hint}`])
    const handed = await call('handoff_read', {})
    assert.deepEqual([handed.latest.content, handed.total], ['handed', 1])
    for (const said of [hint, read.hint, handed.hint]) assert.match(said, /repos_upsert \{"name": "brand-new"/)
    await set.gateway.call('repos_upsert', { name: 'brand-new' }, as)
    const registered = await call('state_read', {})
    assert.deepEqual([registered.content, registered.hint], [read.content, undefined], 'a registered repo without a folder')
  }
  assert.equal(await set.read('brand-new', 'STATE.md'), 'a folder of that name is not its folder')
})

test('a read by git remote keeps the name that it answers to a caller who may write, and to no other', async () => {
  for (const read of ['handoff_read', 'state_read']) {
    await using set = await start()
    const named = async (repo: string, as: object) =>
      set.gateway.call(read, { repo }, as).then(
        ({ repo: name }: { repo: string }) => name,
        ({ details }: { details: { id: string } }) => details.id,
      )
    const viewer = { as: { ...ACME.as, role: 'viewer' } } as const
    assert.equal(await named('git@git.example.org:other/api.git', viewer), 'api', read)
    assert.equal(await named('git@git.example.org:acme/api.git', ACME), 'api', read)
    assert.equal(await named('git@git.example.org:other/api.git', ACME), 'other-api', read)
  }
})

test('what was written while a repo had no folder goes on in its file once it has one', async () => {
  await using set = await start()
  const update = (content: string) => set.gateway.call('state_update', { repo: 'late', heading: '## Log', content, mode: 'append' })
  await update('one')
  await mkdir(join(set.folder, 'late'))
  await writeFile(join(set.root, 'managed-repos.json'), JSON.stringify([{ name: 'late', path: join(set.folder, 'late') }]))
  assert.equal((await set.gateway.call('state_read', { repo: 'late' })).content, '## Log\n\none\n')
  await update('two')
  assert.equal(await set.read('late', 'STATE.md'), '## Log\n\none\n\ntwo\n')
  assert.deepEqual((await set.gateway.documents())['state.documents'] ?? [], [])
})

test('a managed repo whose folder is gone has its state in the store, and no folder is made for it', async () => {
  await using set = await start()
  await rename(set.web, join(set.folder, 'away'))
  await set.gateway.call('state_update', { repo: 'web', content: 'x' })
  assert.equal((await set.gateway.call('state_read', { repo: 'web' })).content, 'x\n')
  assert.equal((await set.gateway.call('handoff_write', { repo: 'web', content: 'x' })).mirrored, false)
  assert.deepEqual((await readdir(set.folder)).sort(), ['away', 'hub'])
})

test('state_update makes the file and its folder, adds, replaces and appends sections, and says what it wrote', async () => {
  await using set = await start()
  const update = (args: object) => set.gateway.call('state_update', args)
  await update({ heading: '## Next', content: 'one' })
  assert.equal(await set.read('hub', 'STATE.md'), '## Next\n\none\n')
  await update({ heading: '## Next', content: 'two' })
  await update({ heading: '## Next', content: 'three', mode: 'append' })
  const answer = await update({ content: 'end' })
  const content = '## Next\n\ntwo\n\nthree\n\nend\n'
  assert.equal(await set.read('hub', 'STATE.md'), content)
  assert.deepEqual([answer.repo, answer.file, answer.bytes], ['hub', 'state', content.length])
  await update({ repo: 'web', file: 'handoff', content: 'handed' })
  assert.equal(await set.read('web', 'HANDOFF.md'), 'handed\n')
  assert.deepEqual(await readdir(join(set.root, '.gateway')), ['STATE.md'], 'no lock or temporary file is left')
})

test('bad input names its field and changes nothing', async () => {
  await using set = await start()
  await set.put('hub', 'STATE.md', '## A\n\nstays\n')
  const wrong: [object, string][] = [
    [{ content: 'x', heading: 'A' }, 'heading'],
    [{ content: '```\nx', heading: '## A' }, 'content'],
    [{ heading: '## A' }, 'content'],
    [{ content: 'x', file: 'plan' }, 'file'],
    [{ content: 'x', mode: 'prepend' }, 'mode'],
    [{ content: 'x'.repeat(131_073) }, 'content'],
  ]
  for (const [args, field] of wrong) {
    await assert.rejects(
      set.gateway.call('state_update', args),
      ({ code, details }) => code === 'BAD_REQUEST' && details.field === field,
      field,
    )
  }
  assert.equal(await set.read('hub', 'STATE.md'), '## A\n\nstays\n')
})

test('a file that would become too large is refused, and stays', async () => {
  await using set = await start()
  const full = `${'x'.repeat(523_000)}\n`
  await set.put('hub', 'STATE.md', full)
  await assert.rejects(set.gateway.call('state_update', { content: 'y'.repeat(2_000) }), { code: 'BAD_REQUEST' })
  assert.equal(await set.read('hub', 'STATE.md'), full)
})

test('no way leads out of the repo: links of the folder or the file, and what is no text, are refused', async () => {
  await using set = await start()
  const outside = join(set.folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'STATE.md'), 'secret')
  const refused = async (why: string) => {
    await assert.rejects(set.gateway.call('state_read', {}), { code: 'STATE_FILE_UNUSABLE' }, why)
    await assert.rejects(set.gateway.call('state_update', { content: 'x' }), { code: 'STATE_FILE_UNUSABLE' }, why)
  }
  await symlink(outside, join(set.root, '.gateway'))
  await refused('the folder is a link')
  await rename(join(set.root, '.gateway'), join(set.root, 'link'))
  await mkdir(join(set.root, '.gateway'))
  await symlink(join(outside, 'STATE.md'), join(set.root, '.gateway', 'STATE.md'))
  await refused('the file is a link')
  await rename(join(set.root, '.gateway', 'STATE.md'), join(set.root, 'link2'))
  await mkdir(join(set.root, '.gateway', 'STATE.md'))
  await refused('the file is a folder')
  await rename(join(set.root, '.gateway', 'STATE.md'), join(set.root, 'folder'))
  await set.put('hub', 'STATE.md', Buffer.from([0x23, 0xff, 0xfe]))
  await refused('it is no UTF-8')
  assert.deepEqual(await readdir(outside), ['STATE.md'])
})

test('a repo whose folder is reached over a link of the operator’s is served', async () => {
  await using set = await start()
  await mkdir(join(set.folder, 'real'))
  await symlink(join(set.folder, 'real'), join(set.folder, 'linked'))
  await writeFile(join(set.root, 'managed-repos.json'), JSON.stringify([{ name: 'linked', path: join(set.folder, 'linked') }]))
  await set.gateway.call('state_update', { repo: 'linked', content: 'x' })
  assert.equal(await set.read('real', 'STATE.md'), 'x\n')
})

test('many changes at once lose nothing: of a file, and of a document in the store', async () => {
  await using set = await start()
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  for (const as of [undefined, ACME]) {
    await Promise.all(lines.map((content) => set.gateway.call('state_update', { heading: '## Log', content, mode: 'append' }, as)))
    const { content } = await set.gateway.call('state_read', {}, as)
    assert.deepEqual(
      content
        .split('\n')
        .filter((line: string) => line.startsWith('line'))
        .sort(),
      [...lines].sort(),
    )
  }
})

test('each of many changes at once answers with its own revision, so none of them can be overwritten unseen', async () => {
  await using set = await start()
  for (const as of [undefined, ACME]) {
    const update = (content: string, more: object = {}) =>
      set.gateway.call('state_update', { heading: '## L', content, ...more }, as) as Promise<{ updatedAt: string; bytes: number }>
    const contents = Array.from({ length: 12 }, (_, at) => 'w'.repeat(at + 1))
    const answers = await Promise.all(contents.map((content) => update(content)))
    assert.equal(new Set(answers.map(({ updatedAt }) => updatedAt)).size, contents.length, 'no two have the same time')
    assert.deepEqual(
      answers.map(({ bytes }) => bytes),
      contents.map((content) => `## L\n\n${content}\n`.length),
    )
    const { content, updatedAt } = await set.gateway.call('state_read', {}, as)
    assert.equal(answers[contents.indexOf(content.split('\n')[2])]?.updatedAt, updatedAt)
    for (const old of answers.filter((answer) => answer.updatedAt !== updatedAt))
      await assert.rejects(update('later', { ifUpdatedAt: old.updatedAt }), { code: 'CONFLICT' })
    assert.equal((await update(content.split('\n')[2])).updatedAt, updatedAt, 'nothing changed')
    await update('later', { ifUpdatedAt: updatedAt })
  }
})

test('the time of a file rises with each change, even if the clock of the one before was ahead', async () => {
  await using set = await start()
  await set.gateway.call('state_update', { content: 'one' })
  const ahead = '2199-01-01T00:00:00.123Z'
  await utimes(set.file('hub', 'STATE.md'), new Date(ahead), new Date(Date.parse(ahead) + 0.5))
  const { updatedAt: seen } = await set.gateway.call('state_read', {})
  const { updatedAt } = await set.gateway.call('state_update', { content: 'two', ifUpdatedAt: seen })
  assert.equal(updatedAt, new Date(Date.parse(seen) + 1).toISOString())
  assert.equal((await set.gateway.call('state_read', {})).updatedAt, updatedAt)
})

test('another tenant has documents of its own under the same rules, and sees nothing of the operator’s repos', async () => {
  await using set = await start()
  await set.put('hub', 'STATE.md', 'the operator’s')
  await set.put('web', 'STATE.md', 'the operator’s')
  const call = (name: string, args: object) => set.gateway.call(name, args, ACME)
  for (const repo of [undefined, 'hub', 'web', 'none', set.web, '/nowhere'])
    await assert.rejects(call('state_read', { ...(repo && { repo }) }), { code: 'NOT_FOUND' }, repo)
  assert.equal((await call('state_update', { repo: join(set.folder, 'hub'), content: 'x' })).repo, 'hub')
  assert.equal(await set.read('hub', 'STATE.md'), 'the operator’s')
  await call('state_update', { repo: 'web', heading: '## A', content: 'theirs' })
  await call('state_update', { content: 'of no repo' })
  assert.equal((await call('state_read', { repo: 'web' })).content, '## A\n\ntheirs\n')
  assert.deepEqual([(await call('state_read', {})).repo, (await call('state_read', {})).content], ['master', 'of no repo\n'])
  assert.equal(await set.read('web', 'STATE.md'), 'the operator’s')
  await assert.rejects(set.gateway.call('state_read', { repo: 'web' }, { as: { ...ACME.as, tenantId: 'third' } }), { code: 'NOT_FOUND' })
})
