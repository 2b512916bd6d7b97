import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { ComplianceChecks } from '../src/operations/compliance.ts'
import { ManagedList } from '../src/operations/managed-list.ts'
import { scan } from '../src/operations/scan.ts'
import { isSettled } from '../src/operations/stamp.ts'
import { ALL, NONE, put, whole } from './support.ts'

const top = await mkdtemp(join(tmpdir(), 'gateway-files-'))
after(() => rm(top, { recursive: true, force: true }))
let folder = top
let count = 0
beforeEach(async () => {
  folder = join(top, String(count++))
  await mkdir(folder)
})

const invalid = (place: string | undefined, fault: RegExp) => (error: unknown) => {
  const { code, details, message } = error as { code?: string; details: { file: string; place?: string; fault: string }; message: string }
  assert.deepEqual([code, details.file, details.place], ['MANAGED_REPOS_INVALID', join(folder, 'managed-repos.json'), place])
  assert.match(details.fault, fault)
  assert.ok(message.includes(details.file) && message.includes(place ?? ''), message)
  return true
}

test('a missing list is undefined, one that appears or changes is read, whether edited or replaced', async () => {
  const list = new ManagedList(folder)
  assert.equal(await list.read(), undefined)
  for (const path of ['/a', '/b', '/c']) {
    await writeFile(list.file, JSON.stringify([{ name: 'a', path }]))
    assert.deepEqual(await list.read(), [{ name: 'a', path }])
  }
  await writeFile(`${list.file}.new`, '[]')
  await rename(`${list.file}.new`, list.file)
  assert.deepEqual(await list.read(), [])
  await rm(list.file)
  assert.equal(await list.read(), undefined)
})

test('bad JSON names the file and the place, and so does a list that is no list of repos', async () => {
  const list = new ManagedList(folder)
  await writeFile(list.file, '[\n {"name": }]')
  await assert.rejects(list.read(), invalid('line 2, column 11', /no valid JSON/))
  await writeFile(list.file, '[{"name": "a", "path": "b"}]')
  await assert.rejects(list.read(), invalid('[0].path', /absolute/))
  await writeFile(list.file, '[]')
  assert.deepEqual(await list.read(), [], 'a repaired file is read')
})

test('a link, a folder, a pipe and a file beyond the bound are refused without being read, and not replaced', async () => {
  const list = new ManagedList(folder)
  await writeFile(join(folder, 'elsewhere.json'), '[]')
  await symlink(join(folder, 'elsewhere.json'), list.file)
  await assert.rejects(list.read(), invalid(undefined, /symbolic link/))
  await assert.rejects(list.upsert([{ name: 'a', path: '/a' }]), invalid(undefined, /symbolic link/))
  assert.equal(await readFile(join(folder, 'elsewhere.json'), 'utf8'), '[]')
  await rm(list.file)
  execFileSync('mkfifo', [list.file])
  await assert.rejects(list.read(), invalid(undefined, /no file/))
  await rm(list.file)
  await mkdir(list.file)
  await assert.rejects(list.read(), invalid(undefined, /no file/))
  await rm(list.file, { recursive: true })
  await writeFile(list.file, ' '.repeat(4 * 1024 * 1024 + 1))
  await assert.rejects(list.read(), invalid(undefined, /bytes/))
})

test('writers at once all get their repo in, and leave no other file', async () => {
  const list = new ManagedList(folder)
  const repos = Array.from({ length: 30 }, (_, n) => ({ name: `repo-${n}`, path: `/srv/${n}` }))
  await Promise.all(repos.map((repo) => list.upsert([repo])))
  assert.deepEqual(await list.read(), repos)
  assert.deepEqual(await readdir(folder), ['managed-repos.json'])
  assert.ok((await readFile(list.file, 'utf8')).endsWith(']\n'))
})

test('a reader at any time finds a whole list, while it is written again and again', async () => {
  const list = new ManagedList(folder)
  await list.upsert([{ name: 'a', path: '/srv/0' }])
  let writing = true
  const read = (async () => {
    while (writing) assert.equal(JSON.parse(await readFile(list.file, 'utf8'))[0].name, 'a')
  })()
  for (let n = 1; n <= 50; n++) await list.upsert([{ name: 'a', path: `/srv/${n}` }])
  writing = false
  await read
})

test('a bad list is left as it is, the next write goes through, and what a kill left behind is in nobody’s way', async () => {
  const list = new ManagedList(folder)
  await writeFile(list.file, '[oops')
  await assert.rejects(list.upsert([{ name: 'a', path: '/a' }]), invalid('line 1, column 2', /no valid JSON/))
  assert.equal(await readFile(list.file, 'utf8'), '[oops')
  await writeFile(list.file, '[{"name": "a", "path": "/a", "owner": "ada"}]')
  await symlink('/etc/passwd', `${list.file}.tmp`)
  await list.upsert([{ name: 'a', path: '/b' }])
  assert.deepEqual(JSON.parse(await readFile(list.file, 'utf8')), [{ name: 'a', path: '/b', owner: 'ada' }])
})

test('the flags say what is there: a folder, a work tree, the framework, both of its files', async () => {
  const checks = new ComplianceChecks()
  await put(
    folder,
    'whole/.git/',
    'whole/.gateway/STATE.md',
    'whole/.gateway/HANDOFF.md',
    'linked/.git',
    'half/.git/',
    'half/.gateway/STATE.md',
  )
  await put(folder, 'bare/', 'file', 'odd/.gateway', 'odd/.git/', 'folders/.gateway/STATE.md/', 'folders/.gateway/HANDOFF.md/')
  const expected = {
    whole: ALL,
    linked: { ...NONE, exists: true, isGitRepo: true },
    half: { ...ALL, hasStateAndHandoff: false },
    bare: { ...NONE, exists: true },
    file: NONE,
    odd: { ...NONE, exists: true, isGitRepo: true },
    folders: { ...NONE, exists: true, hasFramework: true },
    none: NONE,
  }
  const paths = Object.keys(expected).map((name) => join(folder, name))
  assert.deepEqual(await checks.ofAll(paths), Object.values(expected))
  assert.deepEqual(await checks.ofAll(paths), Object.values(expected), 'asked again')
})

test('a link counts as the repo’s folder, and for nothing inside of it', async () => {
  const checks = new ComplianceChecks()
  await put(folder, ...whole.map((path) => `real/${path}`), 'trap/')
  await symlink(join(folder, 'real'), join(folder, 'link'))
  await symlink(join(folder, 'real/.gateway'), join(folder, 'trap/.gateway'))
  await symlink(join(folder, 'real/.git'), join(folder, 'trap/.git'))
  assert.deepEqual(await checks.of(join(folder, 'link')), ALL)
  assert.deepEqual(await checks.of(join(folder, 'trap')), { ...NONE, exists: true })
})

test('each change of a repo shows at the next look', async () => {
  const checks = new ComplianceChecks()
  const repo = join(folder, 'repo')
  const steps: [() => Promise<unknown>, object][] = [
    [async () => {}, NONE],
    [() => put(repo, '.git/'), { ...NONE, exists: true, isGitRepo: true }],
    [() => put(repo, '.gateway/STATE.md'), { ...ALL, hasStateAndHandoff: false }],
    [() => put(repo, '.gateway/HANDOFF.md'), ALL],
    [() => rm(join(repo, '.gateway/STATE.md')), { ...ALL, hasStateAndHandoff: false }],
    [() => rm(join(repo, '.gateway'), { recursive: true }), { ...NONE, exists: true, isGitRepo: true }],
    [() => rm(repo, { recursive: true }), NONE],
  ]
  for (const [change, flags] of steps) {
    await change()
    assert.deepEqual(await checks.of(repo), flags)
  }
})

/** A clock for which everything made here is long past. */
const later = () => Date.now() + 3_600_000

test('a list that stays as it is is parsed once, unless it was changed a moment ago', async () => {
  await writeFile(join(folder, 'managed-repos.json'), '[]')
  const fresh = new ManagedList(folder)
  assert.notEqual(await fresh.read(), await fresh.read())
  const list = new ManagedList(folder, later)
  const first = await list.read()
  assert.equal(await list.read(), first)
  await writeFile(list.file, '[{"name": "a", "path": "/a"}]')
  assert.equal((await list.read())?.length, 1)
  await list.upsert([{ name: 'b', path: '/b' }])
  assert.equal((await list.read())?.length, 2)
})

test('a repo that stays as it is is searched once, unless it was changed a moment ago', async () => {
  await put(folder, ...whole)
  const fresh = new ComplianceChecks()
  assert.notEqual(await fresh.of(folder), await fresh.of(folder))
  const checks = new ComplianceChecks(later)
  const first = await checks.of(folder)
  assert.equal(await checks.of(folder), first)
  await rm(join(folder, '.gateway/STATE.md'))
  assert.deepEqual(await checks.of(folder), { ...ALL, hasStateAndHandoff: false })
  await rm(join(folder, '.git'), { recursive: true })
  assert.equal((await checks.of(folder)).isGitRepo, false)
})

test('a stamp is relied on only when it is older than the clock of any file system is coarse', () => {
  const stats = (ms: bigint) => ({ ctimeMs: ms, mtimeMs: 0n }) as Parameters<typeof isSettled>[0]
  assert.equal(isSettled(stats(10_000n), 12_000), false)
  assert.equal(isSettled(stats(10_000n), 12_001), true)
  assert.equal(isSettled(stats(10_000n), 9_000), false, 'nor one from the future')
})

test('a machine that cannot open folders now does not say that there are no repos; what belongs to others is passed over', async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const never = new AbortController().signal
  await assert.rejects(scan('/srv', 2, never, failing('EMFILE')), { code: 'UNAVAILABLE' })
  assert.deepEqual(await scan('/srv', 2, never, failing('EACCES')), { repos: [], truncated: false })
})
