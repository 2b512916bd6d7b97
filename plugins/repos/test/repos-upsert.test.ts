import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACME, names, start } from './support.ts'

test('an entry is created with its defaults, and refreshed under its name: what is not given stays', async () => {
  await using set = await start()
  const { gateway } = set
  const at = () => new Date(gateway.clock.now()).toISOString()
  const createdAt = at()
  const first = { name: 'web', source: 'manual', enabled: true, createdAt, updatedAt: createdAt }
  assert.deepEqual(await gateway.call('repos_upsert', { name: 'web' }), { repo: first, created: true })
  gateway.clock.advance(60)
  const given = {
    path: '/srv/web',
    gitRemote: 'git@example.org:a/web.git',
    brainNamespace: 'brain',
    stack: ['node', 'typescript'],
    group: 'apps',
    source: 'cli-init',
    enabled: false,
  }
  const second = { ...first, ...given, updatedAt: at() }
  assert.deepEqual(await gateway.call('repos_upsert', { name: 'web', ...given, stack: ['node', 'typescript', 'node'] }), {
    repo: second,
    created: false,
  })
  const third = await gateway.call('repos_upsert', { name: 'web', group: 'sites' })
  assert.deepEqual(third.repo, { ...second, group: 'sites', source: 'manual', enabled: true, updatedAt: '2026-01-05T09:01:00.001Z' })
  assert.equal((await gateway.call('repos_list')).count, 1)
})

test('every source is taken, and no other', async () => {
  await using set = await start()
  for (const source of ['seed', 'cli-init', 'scan', 'manual', 'headless-new-app']) {
    assert.equal((await set.gateway.call('repos_upsert', { name: 'web', source })).repo.source, source)
  }
  await assert.rejects(set.gateway.call('repos_upsert', { name: 'web', source: 'guess' }), names('source'))
})

test('a name is unique for each tenant, not over them, and many at once make one entry', async () => {
  await using set = await start()
  const both = await Promise.all([{}, ACME].map((as) => set.gateway.call('repos_upsert', { name: 'web' }, as)))
  assert.deepEqual(
    both.map(({ created }) => created),
    [true, true],
  )
  const many = await Promise.all(Array.from({ length: 10 }, () => set.gateway.call('repos_upsert', { name: 'one' })))
  assert.equal(many.filter(({ created }) => created).length, 1)
})

test('what could be read as an option, a way out, a command or a secret is refused by name, and nothing changes', async () => {
  await using set = await start()
  const wrong: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: '-x' }, 'name'],
    [{ name: '..' }, 'name'],
    [{ name: 'a/b' }, 'name'],
    [{ name: 'a\\b' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'a', path: 'a' }, 'path'],
    [{ name: 'a', path: '--work-tree=/' }, 'path'],
    [{ name: 'a', path: '/a/../b' }, 'path'],
    [{ name: 'a', path: '/a\u0000' }, 'path'],
    [{ name: 'a', gitRemote: '-u' }, 'gitRemote'],
    [{ name: 'a', gitRemote: 'ext::sh' }, 'gitRemote'],
    [{ name: 'a', gitRemote: 'https://ada:token@example.org/a' }, 'gitRemote'],
    [{ name: 'a', stack: [''] }, 'stack[0]'],
    [{ name: 'a', group: ' ' }, 'group'],
    [{ name: 'a', enabled: 'no' }, 'enabled'],
    [{}, 'name'],
  ]
  for (const [args, field] of wrong) await assert.rejects(set.gateway.call('repos_upsert', args), names(field), JSON.stringify(args))
  assert.equal((await set.gateway.call('repos_list')).count, 0)
})

test('PUT /api/repos/:name is the same tool', async () => {
  await using set = await start()
  const put = await set.gateway.inject({ method: 'PUT', url: '/api/repos/web', body: { group: 'apps' } })
  assert.deepEqual([put.status, put.json().repo.name, put.json().repo.group, put.json().created], [200, 'web', 'apps', true])
})
