import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { needs } from '@gateway/testing'
import { ACME, ALL, NONE, put, start, whole } from './support.ts'

const upsert = (gateway: Awaited<ReturnType<typeof start>>['gateway'], args: object, options = {}) =>
  gateway.call('repos_upsert', args, options)

test('GET /api/repos without a list file is 200 with count 0 and an error that names the file, whatever the roster holds', async () => {
  await using set = await start()
  await upsert(set.gateway, { name: 'web', path: set.folder })
  const answer = await set.gateway.inject({ method: 'GET', url: '/api/repos' })
  assert.equal(answer.status, 200)
  const { error, ...rest } = answer.json()
  assert.deepEqual(rest, { count: 0, repos: [] })
  assert.match(error, /managed-repos\.json/)
})

test('GET /api/repos lists the managed repos with their flags, and no error', async () => {
  await using set = await start()
  await put(set.folder, ...whole.map((path) => `web/${path}`))
  const managed = [
    { name: 'web', path: join(set.folder, 'web'), group: 'apps', gitRemote: 'git@example.org:a/web.git' },
    { name: 'gone', path: join(set.folder, 'gone') },
  ]
  await writeFile(set.file, JSON.stringify(managed))
  assert.deepEqual((await set.gateway.inject({ method: 'GET', url: '/api/repos' })).json(), {
    count: 2,
    repos: [
      { ...managed[0], ...ALL },
      { ...managed[1], ...NONE },
    ],
  })
})

test('an empty list is no missing one', async () => {
  await using set = await start()
  await writeFile(set.file, '[]')
  assert.deepEqual((await set.gateway.inject({ method: 'GET', url: '/api/repos' })).json(), { count: 0, repos: [] })
  assert.deepEqual(await set.gateway.call('repos_list'), { count: 0, repos: [] })
})

test('a bad list answers with an error that names the file and the place, on both', async () => {
  await using set = await start()
  await writeFile(set.file, '[{]')
  const answer = await set.gateway.inject({ method: 'GET', url: '/api/repos' })
  assert.deepEqual([answer.status, answer.json().code, answer.json().details.place], [500, 'MANAGED_REPOS_INVALID', 'line 1, column 3'])
  assert.ok(answer.json().error.includes(set.file))
  await assert.rejects(set.gateway.call('repos_list'), { code: 'MANAGED_REPOS_INVALID' })
})

test('repos_list joins roster and list file by name, with a health for each', async () => {
  await using set = await start()
  await put(set.folder, ...whole.map((path) => `web/${path}`), 'api/.git/')
  const at = (name: string) => join(set.folder, name)
  const unlisted = await set.gateway.call('repos_list')
  assert.match(unlisted.error, /managed-repos\.json/)
  await upsert(set.gateway, { name: 'web', path: '/old/web', stack: ['node'], brainNamespace: 'brain', enabled: false, source: 'seed' })
  await upsert(set.gateway, { name: 'cloud' })
  await upsert(set.gateway, { name: 'windows', path: 'C:\\repos\\windows' })
  await writeFile(
    set.file,
    JSON.stringify([
      { name: 'web', path: at('web'), group: 'apps' },
      { name: 'api', path: at('api') },
      { name: 'gone', path: at('gone') },
    ]),
  )
  const web = { path: at('web'), group: 'apps', stack: ['node'], brainNamespace: 'brain', source: 'seed', enabled: false }
  assert.deepEqual(await set.gateway.call('repos_list'), {
    count: 5,
    repos: [
      { name: 'api', path: at('api'), enabled: true, managed: true, health: 'incomplete', ...NONE, exists: true, isGitRepo: true },
      { name: 'cloud', source: 'manual', enabled: true, managed: false, health: 'unknown' },
      { name: 'gone', path: at('gone'), enabled: true, managed: true, health: 'missing', ...NONE },
      { name: 'web', ...web, managed: true, health: 'ok', ...ALL },
      { name: 'windows', path: 'C:\\repos\\windows', source: 'manual', enabled: true, managed: false, health: 'unknown' },
    ],
  })
})

test('another tenant sees its roster alone: nothing of the list file, and of no path whether it is there', async () => {
  await using set = await start()
  await put(set.folder, ...whole.map((path) => `secret/${path}`))
  await writeFile(set.file, JSON.stringify([{ name: 'secret', path: join(set.folder, 'secret') }]))
  await upsert(set.gateway, { name: 'mine' })
  assert.deepEqual(await set.gateway.call('repos_list', {}, ACME), { count: 0, repos: [] })
  assert.deepEqual(await set.gateway.call('repos.compliance', {}, ACME), { count: 0, repos: [] })

  const theirs = { name: 'secret', path: join(set.folder, 'secret') }
  await upsert(set.gateway, theirs, ACME)
  const row = { ...theirs, source: 'manual', enabled: true, managed: false, health: 'unknown' }
  assert.deepEqual(await set.gateway.call('repos_list', {}, ACME), { count: 1, repos: [row] })
  assert.deepEqual(await set.gateway.call('repos.compliance', {}, ACME), { count: 1, repos: [theirs] })
  const system = { as: { ...ACME.as, kind: 'system', role: 'system' } } as const
  assert.deepEqual(await set.gateway.call('repos_list', {}, system), { count: 1, repos: [row] }, 'nor do its schedules')

  await writeFile(set.file, 'broken')
  assert.equal((await set.gateway.call('repos_list', {}, ACME)).count, 1, 'nor is it touched by faults of the file')
})

test('a roster longer than a page of the store is listed whole', needs('scale'), async () => {
  await using set = await start()
  await Promise.all(Array.from({ length: 1_001 }, (_, n) => upsert(set.gateway, { name: `repo-${n}` }, ACME)))
  assert.equal((await set.gateway.call('repos_list', {}, ACME)).count, 1_001)
})
