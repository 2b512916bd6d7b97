import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { HelperProcess } from '../src/operations/helper-process.ts'
import { repositoryAt } from '../src/operations/repository.ts'
import { workTreeAt } from '../src/operations/work-tree.ts'
import { commit, folder, MAIN, repository, settings } from './support.ts'

test('a helper that was killed is started by the next question, and reads it had open are answered by it', async (t) => {
  const { repo, helper } = await repository(t)
  const reading = Promise.all(Array.from({ length: 20 }, () => repo.tips([MAIN])))
  process.kill(helper.pid as number, 'SIGKILL')
  const answers = await reading
  assert.ok(answers.every(([tip]) => tip !== undefined))
  assert.equal((await repo.refs()).length, 1)
})

test('a write under a dying helper says that its outcome is unknown, and the refs say it', async (t) => {
  const { repo, helper } = await repository(t)
  const [before] = await repo.tips([MAIN])
  const writing = repo.write({ commits: [commit('x', { 'x.md': 'x' })], tips: new Map([[MAIN, before as string]]) })
  process.kill(helper.pid as number, 'SIGKILL')
  await assert.rejects(
    writing,
    (error: { code?: string; message?: string }) => error.code === 'UNAVAILABLE' && /is to be seen/.test(error.message ?? ''),
  )
  const [after] = await repo.tips([MAIN])
  assert.ok(after !== undefined)
  assert.deepEqual(await repo.check(), [])
})

test('locks and half-written files that a killed git left do not stop the next write', async (t) => {
  const { repo, helper, at } = await repository(t)
  await helper[Symbol.asyncDispose]()
  const left = ['refs/heads/main.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_x', 'fast_import_crash_1']
  for (const name of left) {
    writeFileSync(join(at, name), '')
    utimesSync(join(at, name), 1, 1)
  }
  const next = new HelperProcess(settings)
  t.after(() => next[Symbol.asyncDispose]())
  const again = repositoryAt(at, next)
  const [tip] = await again.tips([MAIN])
  assert.ok((await again.write({ commits: [commit('on', { 'on.md': 'on' })], tips: new Map([[MAIN, tip as string]]) })).written)
  for (const name of left) assert.equal(existsSync(join(at, name)), false, name)
  assert.ok(repo)
})

test('helpers of several nodes write to one repository in turn, and spare each other’s packs in progress', async (t) => {
  const { repo, at } = await repository(t)
  const write = async (by: typeof repo, name: string): Promise<void> => {
    const [tip] = await by.tips([MAIN])
    assert.ok((await by.write({ commits: [commit(name, { [name]: name })], tips: new Map([[MAIN, tip as string]]) })).written)
  }
  await write(repo, 'one.md')
  const packs = join(at, 'objects', 'pack')
  const inProgress = (): readonly string[] => readdirSync(packs).filter((name) => name.startsWith('tmp_pack_'))
  while (inProgress().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const aMinuteAgo = Date.now() / 1_000 - 60
  for (const name of inProgress()) utimesSync(join(packs, name), aMinuteAgo, aMinuteAgo)
  const other = new HelperProcess(settings)
  t.after(() => other[Symbol.asyncDispose]())
  await write(repositoryAt(at, other), 'two.md')
  await write(repo, 'three.md')
  assert.equal((await repo.log({ to: (await repo.tips([MAIN]))[0] as string, limit: 10 })).length, 4)
})

test('what a push keeps while it is under way stays, and goes once it is nobody’s', async (t) => {
  const { repo, helper, at } = await repository(t)
  await helper[Symbol.asyncDispose]()
  const [young, old] = ['objects/tmp_objdir-incoming-young', 'objects/tmp_objdir-incoming-old']
  for (const name of [young, old]) await mkdir(join(at, name, 'pack'), { recursive: true })
  const minutesAgo = (minutes: number): number => Date.now() / 1_000 - minutes * 60
  utimesSync(join(at, young), minutesAgo(10), minutesAgo(10))
  utimesSync(join(at, old), minutesAgo(70), minutesAgo(70))
  const next = new HelperProcess(settings)
  t.after(() => next[Symbol.asyncDispose]())
  const again = repositoryAt(at, next)
  const [tip] = await again.tips([MAIN])
  assert.ok((await again.write({ commits: [commit('on', { 'on.md': 'on' })], tips: new Map([[MAIN, tip as string]]) })).written)
  assert.deepEqual([existsSync(join(at, young)), existsSync(join(at, old))], [true, false])
  assert.ok(repo)
})

test('an idle helper ends with its processes, and the next use starts it', async (t) => {
  const { repo, helper } = await repository(t, { idleSeconds: 0.05 })
  const first = helper.pid as number
  await repo.refs()
  while (helper.pid !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
  const isGone = (): boolean => {
    try {
      return process.kill(first, 0) && false
    } catch {
      return true
    }
  }
  while (!isGone()) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal((await repo.refs()).length, 1)
})

test('a helper that ends leaves nothing half written', async (t) => {
  const { repo, helper, at } = await repository(t)
  const [tip] = await repo.tips([MAIN])
  await repo.write({ commits: [commit('one', { 'one.md': '1' })], tips: new Map([[MAIN, tip as string]]) })
  await helper[Symbol.asyncDispose]()
  assert.deepEqual(
    readdirSync(join(at, 'objects', 'pack')).filter((name) => name.startsWith('tmp_')),
    [],
  )
})

test('without git, or with one that is too old, every question is refused and says what to install', async (t) => {
  const at = await folder(t)
  const old = join(at, 'old-git')
  await writeFile(old, '#!/bin/sh\necho git version 2.30.1\n', { mode: 0o755 })
  for (const [program, says] of [
    ['/nonexistent/git', /cannot be run/],
    [old, /is version 2\.30\.1/],
  ] as const) {
    const helper = new HelperProcess({ ...settings, program })
    t.after(() => helper[Symbol.asyncDispose]())
    await assert.rejects(repositoryAt(join(at, 'x.git'), helper).refs(), (error: { code?: string; message?: string }) => {
      assert.equal(error.code, 'UNAVAILABLE')
      assert.match(error.message ?? '', says)
      assert.match(error.message ?? '', /git 2\.38 or newer.*Install git.*GATEWAY_GIT/)
      return true
    })
  }
})

test('a work tree of the operator is read: status, log, last commit, names that differ; nothing of it is run', async (t) => {
  const at = await folder(t)
  const env = {
    PATH: process.env.PATH,
    HOME: at,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const git = (...args: string[]): string => execFileSync('git', ['-C', at, ...args], { encoding: 'utf8', env })
  git('init', '-q', '-b', 'trunk')
  await mkdir(join(at, 'src'))
  await writeFile(join(at, 'src/a b.ts'), 'a')
  git('add', '.')
  git('commit', '-qm', 'first')
  const first = git('rev-parse', 'HEAD').trim()
  await writeFile(join(at, 'src/c.ts'), 'c')
  git('add', '.')
  git('commit', '-qm', 'second')
  await writeFile(join(at, 'src/a b.ts'), 'changed')
  await writeFile(join(at, 'new.ts'), 'n')
  const helper = new HelperProcess(settings)
  t.after(() => helper[Symbol.asyncDispose]())
  const tree = workTreeAt(at, helper)
  const head = git('rev-parse', 'HEAD').trim()
  assert.deepEqual(await tree.status(10), {
    branch: 'trunk',
    head,
    files: [
      { code: '.M', path: 'src/a b.ts' },
      { code: '??', path: 'new.ts' },
    ],
    truncated: false,
  })
  assert.equal((await tree.status(1)).truncated, true)
  assert.deepEqual(
    (await tree.log(10)).map(({ subject }) => subject),
    ['second', 'first'],
  )
  for (let n = 0; n < 2; n++) assert.equal((await tree.lastCommit())?.sha, head)
  git('commit', '-q', '--allow-empty', '-m', 'third')
  assert.equal((await tree.lastCommit())?.subject, 'third')
  for (const name of ['core.fsmonitor', 'diff.external', 'core.pager']) git('config', name, `touch ${at}/ran; true`)
  assert.equal((await tree.status(10)).files.length, 2)
  assert.equal((await tree.log(1)).length, 1)
  assert.deepEqual(await tree.diffNames(first, head, 10), ['src/c.ts'])
  await assert.rejects(tree.diffNames('--output=x', head, 10))
  assert.equal(existsSync(join(at, 'ran')), false)
})
