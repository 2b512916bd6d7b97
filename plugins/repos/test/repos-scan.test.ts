import assert from 'node:assert/strict'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ACME, names, put, start } from './support.ts'

type Set = Awaited<ReturnType<typeof start>>
const scan = (set: Set, args: object = {}, options = {}) =>
  set.gateway.call('repos_scan', { path: join(set.folder, 'code'), ...args }, options)
const listed = async (set: Set) => JSON.parse(await readFile(set.file, 'utf8'))
const found = ({ repos }: { repos: { name: string }[] }) => repos.map(({ name }) => name)

test('repos are found with their stack and framework, nearest first, and nothing is written', async () => {
  await using set = await start()
  await put(
    set.folder,
    'code/web/.git/',
    'code/web/package.json',
    'code/web/tsconfig.json',
    'code/web/.gateway/',
    'code/deep/api/.git',
    'code/deep/api/go.mod',
  )
  const at = (path: string) => join(set.folder, 'code', path)
  assert.deepEqual(await scan(set), {
    count: 2,
    repos: [
      { name: 'web', path: at('web'), stack: ['node', 'typescript'], hasFramework: true, registered: false },
      { name: 'api', path: at('deep/api'), stack: ['go'], hasFramework: false, registered: false },
    ],
    truncated: false,
  })
  await assert.rejects(readFile(set.file), { code: 'ENOENT' })
  assert.equal((await set.gateway.call('repos_list')).count, 0)
})

test('it looks 4 folders deep unless asked otherwise, at most 10, and 0 is the folder itself', async () => {
  await using set = await start()
  const deep = (depth: number) => `code/${Array.from({ length: depth - 1 }, (_, n) => `d${n}-${depth}/`).join('')}r${depth}/.git/`
  await put(set.folder, ...[4, 5, 10, 11].map(deep))
  assert.deepEqual(found(await scan(set)), ['r4'])
  assert.deepEqual(found(await scan(set, { maxDepth: 3 })), [])
  assert.deepEqual(found(await scan(set, { maxDepth: 99 })), ['r4', 'r5', 'r10'])
  await put(set.folder, 'code/.git/')
  assert.deepEqual(found(await scan(set, { maxDepth: 0 })), ['code'])
})

test('links are not followed, nor repos and the folders of dependencies searched', async () => {
  await using set = await start()
  await put(set.folder, 'code/web/.git/', 'code/web/inner/.git/', 'code/node_modules/dep/.git/', 'outside/.git/')
  await symlink(join(set.folder, 'outside'), join(set.folder, 'code/link'))
  await symlink(join(set.folder, 'code'), join(set.folder, 'code/circle'))
  assert.deepEqual(found(await scan(set)), ['web'])
})

test('register puts them into the roster and the list file; again changes nothing that was set by hand', async () => {
  await using set = await start()
  await put(set.folder, 'code/web/.git/', 'code/web/go.mod', 'code/api/.git/')
  const path = join(set.folder, 'code/web')
  await set.gateway.call('repos_upsert', { name: 'web', group: 'apps', enabled: false, source: 'seed' })
  await writeFile(set.file, JSON.stringify([{ name: 'web', path, owner: 'ada' }]))
  for (let round = 0; round < 2; round++) {
    const { repos } = await scan(set, { register: true })
    assert.deepEqual(
      repos.map(({ name, registered }: { name: string; registered: boolean }) => [name, registered]),
      [
        ['api', true],
        ['web', true],
      ],
    )
  }
  assert.deepEqual(await listed(set), [
    { name: 'web', path, owner: 'ada' },
    { name: 'api', path: join(set.folder, 'code/api') },
  ])
  const [api, web] = (await set.gateway.call('repos_list')).repos
  assert.deepEqual([web.group, web.enabled, web.source, web.stack, web.managed], ['apps', false, 'seed', ['go'], true])
  assert.deepEqual([api.source, api.enabled, api.managed], ['scan', true, true])
})

test('a name stands for one folder: another is left out with the reason, until the first is gone', async () => {
  await using set = await start()
  await put(set.folder, 'code/a/web/.git/', 'code/b/web/.git/')
  const [first, second] = ['code/a/web', 'code/b/web'].map((path) => join(set.folder, path)) as [string, string]
  const { repos } = await scan(set, { register: true })
  assert.deepEqual([repos[0].registered, repos[1].registered], [true, false])
  assert.ok(repos[1].reason.includes(first))
  assert.deepEqual(await listed(set), [{ name: 'web', path: first }])
  await rm(first, { recursive: true })
  await scan(set, { register: true })
  assert.deepEqual(await listed(set), [{ name: 'web', path: second }])
})

test('a folder that was written with a slash at its end is the same one', async () => {
  await using set = await start()
  await put(set.folder, 'code/api/.git/', 'code/web/.git/')
  const [api, web] = ['code/api', 'code/web'].map((path) => join(set.folder, path)) as [string, string]
  await set.gateway.call('repos_upsert', { name: 'api', path: `${api}/` })
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: `${web}/.` }]))
  const { repos } = await scan(set, { register: true })
  assert.deepEqual(
    repos.map(({ registered }: { registered: boolean }) => registered),
    [true, true],
  )
  assert.deepEqual(await listed(set), [
    { name: 'web', path: web },
    { name: 'api', path: api },
  ])
})

test('a folder whose name could be read as an option is found, and not registered', async () => {
  await using set = await start()
  await put(set.folder, 'code/--exec=x/.git/')
  const { repos } = await scan(set, { register: true })
  assert.deepEqual([repos[0].registered, typeof repos[0].reason], [false, 'string'])
  assert.equal((await set.gateway.call('repos_list')).count, 0)
})

test('another tenant may not look, nor write; and a path that is no folder is refused by name', async () => {
  await using set = await start()
  await put(set.folder, 'code/web/.git/', 'file')
  for (const register of [false, true])
    await assert.rejects(scan(set, { register }, ACME), { code: 'FORBIDDEN', message: /the folders of this machine/ })
  await assert.rejects(readFile(set.file), { code: 'ENOENT' })
  for (const path of [join(set.folder, 'none'), join(set.folder, 'file'), 'code', 'C:\\code', `${set.folder}/../x`]) {
    await assert.rejects(scan(set, { path }), names('path'), path)
  }
  await assert.rejects(scan(set, { maxDepth: -1 }), names('maxDepth'))
})

test('POST /api/repos/scan is the same tool', async () => {
  await using set = await start()
  await put(set.folder, 'code/web/.git/')
  const answer = await set.gateway.inject({ method: 'POST', url: '/api/repos/scan', body: { path: join(set.folder, 'code') } })
  assert.deepEqual([answer.status, answer.json()], [200, await scan(set)])
})
