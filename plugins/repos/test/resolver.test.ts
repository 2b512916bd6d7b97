import assert from 'node:assert/strict'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { cloneArguments, repoArgument, repoResolver } from '../src/api.ts'
import { ACME, runGit, start as startPlain } from './support.ts'

/** Shows the resolver's answers. */
const seer = definePlugin({
  id: 'seer',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({
      name: 'seer_resolve',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ repo: Type.Optional(repoArgument), ...cloneArguments }, closed),
      output: Type.Object({}),
      uses: { resolver: repoResolver },
      handle: (clue, { resolver }) => resolver.resolve(clue),
    }),
    defineTool({
      name: 'seer_store',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ repo: Type.Optional(repoArgument), ...cloneArguments }, closed),
      output: Type.Object({}),
      uses: { resolver: repoResolver },
      handle: (clue, { resolver }) => resolver.resolve(clue, { stores: true }),
    }),
  ],
})

/** Starts a gateway whose managed list has `web`, a git repo with a commit and this remote. */
async function start(remote?: string) {
  const set = await startPlain({}, { plugins: [seer] })
  const at = (name: string): string => join(set.folder, name)
  const init = async (name: string, origin?: string): Promise<string> => {
    await mkdir(at(name), { recursive: true })
    runGit(at(name), 'init', '-q')
    await writeFile(join(at(name), 'a'), '')
    runGit(at(name), 'add', '.')
    runGit(at(name), 'commit', '-qm', 'begin')
    if (origin !== undefined) runGit(at(name), 'remote', 'add', 'origin', origin)
    return at(name)
  }
  await init('web', remote)
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: at('web') }]))
  return {
    ...set,
    at,
    init,
    resolve: (clue: object, as = {}) => set.gateway.call('seer_resolve', clue, as),
    /** The answer to a caller that stores something. */
    store: (clue: object, as = {}) => set.gateway.call('seer_store', clue, as),
    upsert: (entry: object, as = {}) => set.gateway.call('repos_upsert', entry, as),
    [Symbol.asyncDispose]: set[Symbol.asyncDispose],
  }
}
const R = 'git@git.example.org:acme/web.git'
const SAME = [
  'https://git.example.org/acme/web',
  'https://ada:s3cret@GIT.example.org/acme/web.git',
  'ssh://git@git.example.org:2222/acme/web.git',
]

test('without a clue it is the master repo, and a name that nobody registered is a repo that lies in the store', async () => {
  await using set = await start()
  assert.deepEqual(await set.resolve({}), { name: 'root', isMaster: true, registered: true, folder: set.at('root') })
  const found = await set.resolve({ repo: 'brand-new' })
  assert.deepEqual([found.name, found.registered, 'folder' in found], ['brand-new', false, false])
  assert.match(found.hint, /"brand-new" is not registered.*repos_upsert/)
  assert.deepEqual(found.registration, { name: 'brand-new', source: 'cli-init' })
})

test('a second clone, a work tree and a renamed folder with the same remote are the same repo, however the remote is written', async () => {
  await using set = await start(R)
  const fork = await set.init('my-fork', SAME[0])
  runGit(set.at('web'), 'worktree', 'add', '-q', set.at('tree'))
  for (const clue of [{ root: fork }, { repo: fork }, { repo: set.at('tree') }, ...SAME.map((repo) => ({ repo }))])
    assert.deepEqual(
      await set.resolve(clue),
      { name: 'web', isMaster: false, registered: true, folder: set.at('web') },
      JSON.stringify(clue),
    )
  for (const remote of SAME) {
    const { registration, ...found } = await set.resolve({ remote, root: '/nowhere/on/this/machine', repo: 'machine' })
    assert.deepEqual(found, { name: 'web', isMaster: false, registered: true, folder: set.at('web') }, remote)
    assert.deepEqual(Object.keys(registration).sort(), ['gitRemote', 'name', 'source'], 'the managed list has no remote of it')
  }
  const { registration } = await set.resolve({ remote: R, root: set.at('web'), repo: 'web' })
  assert.deepEqual(registration, { name: 'web', source: 'cli-init', gitRemote: R })
  await set.upsert(registration)
  await rename(set.at('web'), set.at('site'))
  const renamed = await set.resolve({ root: set.at('site'), remote: SAME[1], repo: 'site' })
  assert.deepEqual(renamed, { name: 'web', isMaster: false, registered: true })
  await mkdir(join(set.at('site'), '.gateway'))
  assert.equal((await set.resolve({ root: set.at('site'), remote: R, repo: 'site' })).folder, set.at('site'))
})

test('two repos of one folder name with different remotes are two, and each is found again under its name', async () => {
  await using set = await start(R)
  const first = await set.resolve({ repo: 'api', root: '/a/api', remote: 'git@git.example.org:acme/api.git' })
  assert.deepEqual([first.name, first.registered], ['api', false])
  await set.upsert(first.registration)
  const second = await set.resolve({ repo: 'api', root: '/b/api', remote: 'https://t0ken@git.example.org/other/api.git' })
  assert.deepEqual(second.registration, {
    name: 'other-api',
    path: '/b/api',
    gitRemote: 'https://git.example.org/other/api.git',
    source: 'cli-init',
  })
  await set.upsert(second.registration)
  const third = await set.resolve({ repo: 'api', root: '/c/api', remote: 'git@elsewhere.example.org:other/api.git' })
  assert.match(third.name, /^api-[0-9a-f]{8}$/)
  for (const [remote, name] of [
    ['ssh://git@git.example.org/acme/api', 'api'],
    ['git@git.example.org:other/api', 'other-api'],
  ]) {
    const { hint, registration, ...found } = await set.resolve({ repo: 'api', root: '/z/api', remote })
    assert.deepEqual([found.name, found.registered, hint, registration], [name, true, undefined, undefined])
  }
  // Containers have their clones in one folder.
  assert.notEqual((await set.resolve({ repo: 'api', root: '/a/api', remote: 'git@git.example.org:third/api.git' })).name, 'api')
})

test('two remotes that end alike are two repos before either is registered, for each tenant, and each keeps its name', async () => {
  await using set = await start()
  const remotes = ['git@git.example.org:acme/dup.git', 'git@elsewhere.example.org:other/dup.git', 'https://third.example.org/other/dup']
  for (const as of [{}, ACME]) {
    const names = async () => Promise.all(remotes.map(async (repo) => (await set.resolve({ repo }, as)).name))
    assert.equal((await set.store({ repo: remotes[0] }, as)).name, 'dup')
    assert.equal((await set.store({ repo: remotes[1] }, as)).name, 'other-dup')
    const third = (await set.store({ repo: remotes[2] }, as)).name
    assert.match(third, /^dup-[0-9a-f]{8}$/)
    assert.deepEqual(await names(), ['dup', 'other-dup', third])
    assert.equal((await set.resolve({ remote: remotes[1], root: '/b/dup', repo: 'dup' }, as)).name, 'other-dup')
    await set.upsert({ name: 'dup', gitRemote: 'git@git.example.org:owner/dup.git' }, as)
    assert.deepEqual(await names(), ['acme-dup', 'other-dup', third], 'a registered repo has its name')
  }
})

test('a call that only reads takes no name from the remote that stores something first', async () => {
  await using set = await start()
  const own = 'git@git.example.org:acme/api.git'
  assert.equal((await set.resolve({ repo: 'git@evil.example.org:x/api.git' })).name, 'api')
  assert.equal((await set.resolve({ repo: own })).name, 'api')
  assert.equal((await set.store({ repo: own })).name, 'api')
  assert.equal((await set.resolve({ repo: 'git@evil.example.org:x/api.git' })).name, 'x-api')
  assert.equal((await set.store({ repo: 'git@evil.example.org:x/api.git' })).name, 'x-api')
})

test('a remote that is registered under a name gets it back from the one that stored something under it', async () => {
  await using set = await start()
  const [first, own] = ['git@elsewhere.example.org:x/api.git', 'git@git.example.org:acme/api.git']
  assert.equal((await set.store({ repo: first })).name, 'api')
  assert.equal((await set.store({ repo: own })).name, 'acme-api')
  await set.upsert({ name: 'api', gitRemote: own })
  assert.deepEqual([(await set.resolve({ repo: own })).name, (await set.resolve({ repo: first })).name], ['api', 'x-api'])
  await set.upsert({ name: 'api', gitRemote: 'git@git.example.org:acme/moved.git' })
  assert.equal((await set.store({ repo: first })).name, 'x-api')
})

test('a remote that is only in the roster is not the repo of that name to which the list of managed repos gives another one', async () => {
  await using set = await start()
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: set.at('web'), gitRemote: R }]))
  await set.upsert({ name: 'web', gitRemote: 'git@git.example.org:other/web.git' })
  assert.equal((await set.resolve({ repo: R })).name, 'web')
  assert.equal((await set.resolve({ repo: 'git@git.example.org:other/web.git' })).name, 'other-web')
})

test('remotes that end alike and store something for the first time at once are two repos', async () => {
  await using set = await start()
  const remotes = Array.from({ length: 8 }, (_, at) => `git@git.example.org:owner${at % 4}/same.git`)
  const names = (await Promise.all(remotes.map((repo) => set.store({ repo })))).map(({ name }) => name)
  assert.equal(new Set(names).size, 4)
  assert.deepEqual(names.slice(0, 4), names.slice(4))
})

test('a folder that is not on this machine is the repo of its last part', async () => {
  await using set = await start()
  for (const [clue, name] of [
    [{ repo: '/srv/there/api' }, 'api'],
    [{ root: 'C:\\work\\site' }, 'site'],
  ] as const)
    assert.deepEqual([(await set.resolve(clue)).name, (await set.resolve(clue)).registered], [name, false])
  assert.match((await set.resolve({ repo: '/srv/there/web' })).name, /^web-[0-9a-f]{8}$/, 'the registered one is in another folder')
})

test('two repos without a remote in folders of one name are two; a repo is found by its folder when it has no remote', async () => {
  await using set = await start()
  await set.upsert({ name: 'api', path: '/a/api/' })
  assert.equal((await set.resolve({ repo: 'api', root: '/a/api' })).name, 'api')
  assert.match((await set.resolve({ repo: 'api', root: '/b/api' })).name, /^api-/)
  assert.equal((await set.resolve({ repo: '/a/api' })).name, 'api')
  await set.upsert({ name: 'renamed', path: '/a/old-name' })
  assert.equal((await set.resolve({ repo: 'old-name', root: '/a/old-name' })).name, 'renamed')
})

test('what a clone knows and the roster does not is offered for it: a remote, a folder that moved; a password never is', async () => {
  await using set = await start()
  await set.upsert({ name: 'site', group: 'apps', enabled: false })
  const fresh = await set.init('site', 'https://ada:s3cret@git.example.org/acme/site')
  const found = await set.resolve({ repo: 'site', root: fresh, remote: 'https://ada:s3cret@git.example.org/acme/site' })
  const more = { path: fresh, gitRemote: 'https://git.example.org/acme/site' }
  assert.deepEqual(found.registration, { name: 'site', source: 'manual', enabled: false, ...more })
  await set.upsert(found.registration)
  assert.equal((await set.resolve({ repo: 'x', root: fresh, remote: 'git@git.example.org:acme/site' })).registration, undefined)
  await rename(fresh, set.at('moved'))
  const moved = await set.resolve({ repo: 'moved', root: set.at('moved'), remote: 'git@git.example.org:acme/site' })
  assert.deepEqual([moved.name, moved.registration.path], ['site', set.at('moved')])
})

test('framework files are looked for in managed folders and in those that have them; a managed folder that is gone has none', async () => {
  await using set = await start(R)
  const plain = await set.init('plain')
  assert.equal('folder' in (await set.resolve({ repo: plain })), false)
  await mkdir(join(plain, '.gateway'))
  const found = await set.resolve({ repo: plain })
  assert.deepEqual([found.name, found.registered, found.folder], ['plain', false, plain])
  await rename(set.at('web'), set.at('gone'))
  const { folder, registered } = await set.resolve({ repo: 'web' })
  assert.deepEqual([folder, registered], [undefined, true])
})

test('a folder over a link of the operator’s, and a clone of a managed folder, are that repo', async () => {
  await using set = await start()
  await symlink(set.at('web'), set.at('link'))
  await writeFile(set.file, JSON.stringify([{ name: 'web', path: set.at('link') }]))
  assert.equal((await set.resolve({ repo: 'x', root: set.at('web') })).name, 'web')
  runGit(set.folder, 'clone', '-q', set.at('link'), 'copy')
  assert.equal((await set.resolve({ repo: 'copy', root: set.at('copy'), remote: set.at('link') })).name, 'web')
})

test('another tenant has a roster of its own and no folders: the operator’s repos are unknown to it by name, folder and remote', async () => {
  await using set = await start(R)
  for (const clue of [{ repo: 'web' }, { repo: 'web', root: set.at('web') }, { repo: 'web', root: set.at('web'), remote: R }]) {
    const found = await set.resolve(clue, ACME)
    assert.deepEqual([found.name, found.registered, 'folder' in found, found.isMaster], ['web', false, false, false])
  }
  for (const [repo, name] of [
    [set.at('web'), 'web'],
    ['/nowhere', 'nowhere'],
  ]) {
    const found = await set.resolve({ repo }, ACME)
    assert.deepEqual([found.name, found.registered, 'folder' in found], [name, false, false])
  }
  await set.upsert({ name: 'own', path: set.at('web'), gitRemote: R }, ACME)
  for (const repo of [SAME[0], set.at('web'), 'own']) assert.equal((await set.resolve({ repo }, ACME)).name, 'own')
  assert.deepEqual(await set.resolve({}, ACME), { name: 'master', isMaster: true, registered: true })
})

test('a folder that is no repo, and a text that no repo can be called, are refused', async () => {
  await using set = await start()
  for (const repo of [set.folder, '/', 'a/b', '-x']) await assert.rejects(set.resolve({ repo }), { code: 'NOT_FOUND' }, repo)
  await assert.rejects(
    set.resolve({ repo: 'web', root: 'relative' }),
    ({ code, details }) => code === 'BAD_REQUEST' && details.field === 'root',
  )
  for (const field of ['repo', 'remote', 'root'])
    await assert.rejects(set.resolve({ [field]: '/a\nb' }), ({ code, details }) => code === 'BAD_REQUEST' && details.field === field)
  await assert.rejects(set.resolve({ repo: '..' }), { code: 'BAD_REQUEST' })
  await assert.rejects(set.resolve({ repo: 'https://h' }), ({ code, details }) => code === 'BAD_REQUEST' && details.field === 'repo')
  assert.equal((await set.resolve({ repo: 'web', remote: 'ext::sh -c x' })).name, 'web')
})

test('two clones that are registered at the same moment do not become one: the second is refused and finds another name', async () => {
  await using set = await start()
  const clues = ['one', 'two'].map((owner) => ({ repo: 'api', root: `/${owner}/api`, remote: `git@git.example.org:${owner}/api.git` }))
  const found = await Promise.all(clues.map((clue) => set.resolve(clue)))
  await set.upsert(found[0].registration)
  await assert.rejects(set.upsert(found[1].registration), { code: 'CONFLICT' })
  assert.equal((await set.resolve(clues[1] ?? {})).name, 'two-api')
})

test('a clone that its hook registers takes no name under which another remote stores something; a person may give it the name', async () => {
  for (const as of [{}, ACME]) {
    await using set = await start()
    const own = { repo: 'api', root: '/acme/api', remote: 'git@git.example.org:acme/api.git' }
    const { registration } = await set.resolve(own, as)
    assert.equal((await set.store({ remote: 'git@git.example.org:other/api.git' }, as)).name, 'api')
    await assert.rejects(set.upsert(registration, as), ({ code, details }) => code === 'CONFLICT' && details.field === 'name')
    const { repos } = await set.gateway.call('repos_list', {}, as)
    assert.ok(!repos.some(({ name }: { name: string }) => name === 'api'))
    assert.equal((await set.resolve({ remote: 'git@git.example.org:other/api.git' }, as)).name, 'api')
    const next = await set.resolve(own, as)
    assert.deepEqual([next.name, next.registration.name], ['acme-api', 'acme-api'])
    await set.upsert(next.registration, as)
    assert.equal((await set.upsert({ ...registration, source: 'manual' }, as)).created, true)
  }
})

test('a scan registers no folder under a name of another remote, nor one without a remote under a name that a remote keeps', async () => {
  await using set = await start()
  const of = (owner: string, name: string): string => `git@git.example.org:${owner}/${name}.git`
  for (const name of ['api', 'shop', 'site']) await set.init(`code/${name}`, of('acme', name))
  for (const name of ['bare', 'plain']) await set.init(`code/${name}`)
  for (const name of ['site', 'plain']) await set.upsert({ name, gitRemote: of('other', name) })
  for (const remote of [of('other', 'api'), of('other', 'bare'), of('acme', 'shop')]) await set.store({ repo: remote })
  const { repos } = await set.gateway.call('repos_scan', { path: set.at('code'), register: true })
  const belongs = (name: string): string => `its name belongs to the remote git.example.org/other/${name}`
  const reasons = Object.fromEntries(repos.map(({ name, reason }: { name: string; reason?: string }) => [name, reason]))
  assert.deepEqual(reasons, {
    api: belongs('api'),
    bare: belongs('bare'),
    plain: undefined,
    shop: undefined,
    site: belongs('site'),
  })
  for (const name of ['api', 'bare', 'shop', 'site'])
    assert.equal((await set.resolve({ repo: of(name === 'shop' ? 'acme' : 'other', name), root: `/home/ada/${name}` })).name, name)
  assert.equal((await set.resolve({ repo: set.at('code/api') })).name, 'acme-api')
})

test('a remote whose last part can be no name is refused as an unknown repo', async () => {
  await using set = await start()
  await assert.rejects(set.resolve({ remote: 'https://git.example.org/acme/-' }), { code: 'NOT_FOUND' })
})
