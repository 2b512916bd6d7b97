import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import runner from '../src/index.ts'
import { loadConfig } from '../src/operations/load-config.ts'
import { mergeAll } from '../src/operations/merge.ts'
import { MergeRounds } from '../src/operations/merge-rounds.ts'
import { dropRescues } from '../src/operations/rescue-branches.ts'
import { StuckMerges } from '../src/operations/stuck-merges.ts'
import type { MergeConfig } from '../src/schema.ts'
import { until } from './fleet.ts'
import { type Bench, benches, clientOf } from './support.ts'

const bench = benches()
const lanes = { merge: {} }

/** A task whose branch has one commit that writes a file. */
async function branch(b: Bench, file: string, text: string, status = 'done'): Promise<string> {
  const taskId = await b.task('true', { notes: 'Said before.' })
  b.git('branch', `task/${taskId}`, 'main')
  const folder = join(b.folder, taskId)
  b.git('worktree', 'add', '--quiet', folder, `task/${taskId}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), `${text}\n`)
  b.git('-C', folder, 'add', '.')
  b.git('-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '-m', `Write ${file}`)
  b.git('worktree', 'remove', folder)
  await b.gateway.call('tasks_update', { taskId, status })
  return taskId
}

const branches = (b: Bench): string[] => b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')

test('branches of accepted tasks are rebased and merged one after another, and the rest is left alone', async (t) => {
  const b = await bench(t, { lanes })
  const first = await branch(b, 'b.txt', 'two')
  const second = await branch(b, 'c.txt', 'three')
  const waits = await branch(b, 'd.txt', 'four', 'review')
  const { code, stdout, stderr } = await b.once()
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`^${first}: merged into main\n${second}: merged into main$`, 'm'))
  assert.deepEqual(b.git('log', '--format=%s %an', 'main').split('\n'), ['Write c.txt Ada', 'Write b.txt Ada', 'first Ada'])
  assert.equal(b.git('status', '--porcelain'), '')
  assert.deepEqual(branches(b), ['main', `task/${waits}`])
  assert.equal(b.git('worktree', 'list').split('\n').length, 1)
  assert.match((await b.get(first)).notes, /^Said before\.\n\nMerged into main as [0-9a-f]{12}\.$/)
  assert.deepEqual((await b.gateway.call('lease_list', { prefix: 'merge/' })).leases, [])
})

test('a branch in conflict goes back with its task, which names the files, and the next branch is merged', async (t) => {
  const b = await bench(t, { lanes })
  const first = await branch(b, 'a.txt', 'mine')
  const second = await branch(b, 'a.txt', 'yours')
  const third = await branch(b, 'e.txt', 'five')
  const { stdout } = await b.once()
  assert.match(stdout, new RegExp(`${third}: merged into main`))
  assert.deepEqual([(await b.get(first)).status, (await b.get(third)).status], ['done', 'done'])
  const task = await b.get(second)
  assert.equal(task.status, 'pending')
  assert.match(task.notes, /^Said before\.\n\nThe branch task\/task-\S+ conflicts with main in a\.txt\. Rebase it onto main\.$/)
  assert.deepEqual(branches(b), ['main', `task/${second}`])
  assert.equal(b.git('show', 'main:a.txt'), 'mine')
})

test('a branch whose check fails on top of its target is not merged', async (t) => {
  const b = await bench(t, { lanes }, { check: 'echo checking; test ! -e b.txt' })
  const taskId = await branch(b, 'b.txt', 'two')
  await b.once()
  const task = await b.get(taskId)
  assert.equal(task.status, 'pending')
  assert.match(task.notes, /On top of main, `echo checking; test ! -e b\.txt` ended with exit code 1:\nchecking$/)
  assert.equal(b.git('log', '--format=%s', 'main'), 'first')
})

test('with a remote the merged work is pushed to it', async (t) => {
  const b = await bench(t, { lanes: { merge: { status: 'review' } } }, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await branch(b, 'b.txt', 'two', 'review')
  const { stderr } = await b.once()
  assert.equal(b.git('--git-dir', remote, 'log', '-1', '--format=%s', 'main'), 'Write b.txt', stderr)
  assert.equal((await b.get(taskId)).status, 'done')
})

test('branches that other machines pushed, with the commits of their reviewers, are merged once, and move to the merged commit', async (t) => {
  const b = await bench(t, { lanes }, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const [here, there] = [await branch(b, 'b.txt', 'two'), await branch(b, 'c.txt', 'three')]
  b.git('push', '--quiet', 'origin', `task/${here}`, `task/${there}`)
  b.git('branch', '--quiet', '-D', `task/${there}`)
  const other = join(b.folder, 'other')
  b.git('clone', '--quiet', '--branch', `task/${here}`, remote, other)
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid']
  b.git('-C', other, ...author, 'commit', '--quiet', '--allow-empty', '-m', 'Word of the reviewer')
  b.git('-C', other, 'push', '--quiet', 'origin', `task/${here}`)
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`^${here}: merged into main\n${there}: merged into main$`, 'm'), stderr)
  const subjects = b.git('--git-dir', remote, 'log', '--format=%s', 'main').split('\n')
  assert.deepEqual(subjects, ['Write c.txt', 'Word of the reviewer', 'Write b.txt', 'first'])
  assert.equal(b.git('--git-dir', remote, 'rev-parse', `task/${there}`), b.git('--git-dir', remote, 'rev-parse', 'main'))
  assert.doesNotMatch((await b.once()).stdout, /merge/)
  assert.equal(b.git('--git-dir', remote, 'for-each-ref', '--format=%(refname)'), 'refs/heads/main')
})

test('branches at the remote stay after the merge if it is set so', async (t) => {
  const b = await bench(t, { lanes: { merge: { deleteBranches: false } } }, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await branch(b, 'b.txt', 'two')
  b.git('push', '--quiet', 'origin', `task/${taskId}`)
  await b.once()
  await b.once()
  assert.equal(b.git('--git-dir', remote, 'rev-parse', `task/${taskId}`), b.git('--git-dir', remote, 'rev-parse', 'main'))
})

/** A commit that is years old. */
function oldCommit(b: Bench, from: string, ...more: string[]): string {
  process.env.GIT_COMMITTER_DATE = '2020-01-01T00:00:00Z'
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid']
  const commit = b.git(...author, 'commit-tree', `${from}^{tree}`, '-m', 'Waits', ...more)
  delete process.env.GIT_COMMITTER_DATE
  return commit
}

/** Branches older than those of other tasks, whose tasks are not accepted. */
function waitingBranches(b: Bench, count: number): void {
  const old = oldCommit(b, 'main')
  for (let at = 1; at <= count; at++) b.git('update-ref', `refs/heads/task/task-waits-${at}`, old)
}

test('an accepted branch is merged though many older ones wait', async (t) => {
  const b = await bench(t, { lanes })
  waitingBranches(b, 101)
  const taskId = await branch(b, 'b.txt', 'two')
  assert.match((await b.once()).stdout, new RegExp(`^${taskId}: merged into main$`, 'm'))
})

test('a pass looks at a hundred branches, and the next one goes on where it ended', async (t) => {
  const b = await bench(t, { lanes })
  waitingBranches(b, 150)
  const config = await loadConfig(b.config, b.env)
  const asked: string[] = []
  const client = clientOf(b, (url) => asked.push(url))
  const output = { line: () => undefined, complain: (sentence: string) => assert.fail(sentence) }
  const merge = config.merge as MergeConfig
  const order = {
    client,
    config,
    env: b.env,
    output,
    merge,
    drain: new AbortController().signal,
    rounds: new Map(),
    stuck: new StuckMerges(),
  }
  const pass = async (): Promise<number> => {
    asked.length = 0
    await mergeAll(order)
    return new Set(asked).size
  }
  assert.equal(await pass(), 100)
  const taskId = await branch(b, 'b.txt', 'two')
  assert.equal(await pass(), 51)
  assert.match((await b.get(taskId)).notes, /Merged into main/)
  assert.deepEqual([await pass(), await pass(), await pass()], [100, 50, 100])
})

test('merged branches at the remote are deleted, a few in each pass, after the others; one that is refused or has no task is left', async (t) => {
  const b = await bench(t, { lanes }, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const merged: string[] = []
  for (let at = 0; at < 3; at++) {
    const taskId = await b.task('true')
    await b.gateway.call('tasks_update', { taskId, status: 'done' })
    merged.push(taskId)
  }
  const names = [...Array.from({ length: 15 }, (_, at) => `task-gone-${10 + at}`), ...merged]
  b.git('push', '--quiet', 'origin', ...names.map((name) => `main:refs/heads/task/${name}`))
  const taskId = await branch(b, 'b.txt', 'two')
  b.git('push', '--quiet', 'origin', `task/${taskId}`)
  b.git('branch', '--quiet', '-D', `task/${taskId}`)
  const hook = join(remote, 'hooks', 'update')
  writeFileSync(hook, `#!/bin/sh\ntest "$1" != refs/heads/task/${merged[0]}\n`, { mode: 0o755 })
  const asked: string[] = []
  const { order, said } = await lane(b, { asked: (url) => asked.push(url.slice('/api/tasks/'.length)) })
  const looking = { ...order, rounds: new Map() }
  const pass = async (): Promise<string[]> => {
    asked.length = 0
    await mergeAll(looking)
    return [...new Set(asked)]
  }
  const first = await pass()
  assert.deepEqual([first[0], first.length, said[0]], [taskId, 11, `${taskId}: merged into main`])
  for (let passes = 0; passes < 3; passes++) await pass()
  assert.deepEqual(await pass(), [])
  const left = b.git('--git-dir', remote, 'for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/task').split('\n')
  assert.deepEqual(left, [merged[0], ...names.slice(0, 15)])
  const refusals = said.filter((sentence) => sentence.includes('was not deleted'))
  assert.deepEqual(refusals, [`task/${merged[0]} was not deleted at origin, which refuses it. It is left there.`])
})

test('a merged branch whose deletion meets a remote out of reach is deleted in a later pass, and left after eight tries', async (t) => {
  const b = await bench(t, { lanes }, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const mergedBranch = async (): Promise<string> => {
    const taskId = await b.task('true')
    await b.gateway.call('tasks_update', { taskId, status: 'done' })
    b.git('push', '--quiet', remote, `main:refs/heads/task/${taskId}`)
    return taskId
  }
  const taskId = await mergedBranch()
  let minutes = 0
  const { order, said } = await lane(b)
  const pass = (): Promise<void> => mergeAll({ ...order, rounds })
  const rounds = new Map([[b.name, new MergeRounds(() => minutes * 60_000)]])
  const atRemote = () => b.git('--git-dir', remote, 'for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/task')
  b.git('remote', 'set-url', '--push', 'origin', join(b.folder, 'gone.git'))
  await pass()
  b.git('remote', 'set-url', '--push', 'origin', remote)
  await pass()
  assert.equal(atRemote(), taskId, 'before its pause is over')
  minutes += 1
  await pass()
  assert.equal(atRemote(), '')
  assert.match(said.join('\n'), new RegExp(`^task/${taskId} was not deleted at origin, and is tried again: git push: [^]*gone\\.git`))

  said.length = 0
  const left = await mergedBranch()
  b.git('remote', 'set-url', '--push', 'origin', join(b.folder, 'gone.git'))
  for (let tries = 1; tries <= 8; tries++, minutes += 2 ** tries) await pass()
  assert.match(said.at(-1) ?? '', new RegExp(`^task/${left} was not deleted at origin in 8 tries, and is left there: git push: `))
  b.git('remote', 'set-url', '--push', 'origin', remote)
  minutes += 10_000
  await pass()
  assert.deepEqual([atRemote(), said.length], [left, 2])
})

test('a repo is merged by one runner at a time', async (t) => {
  const b = await bench(t, { lanes })
  const taskId = await branch(b, 'b.txt', 'two')
  await b.gateway.call('lease_acquire', { key: `merge/${b.name}`, holder: 'm2/merge/1', leaseSeconds: 60 })
  await b.once()
  assert.deepEqual(branches(b), ['main', `task/${taskId}`])
})

test('a base that is checked out in another worktree gets the merged files there, and a branch that is checked out is merged', async (t) => {
  const b = await bench(t, { lanes }, { base: 'trunk' })
  b.git('branch', 'trunk')
  const place = join(b.folder, 'trunk')
  b.git('worktree', 'add', '--quiet', place, 'trunk')
  const taskId = await branch(b, 'b.txt', 'two')
  b.git('checkout', '--quiet', `task/${taskId}`)
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`${taskId}: merged into trunk`), stderr)
  assert.deepEqual([b.git('-C', place, 'status', '--porcelain'), b.git('-C', place, 'show', 'HEAD:b.txt')], ['', 'two'])
  assert.deepEqual([b.git('status', '--porcelain'), (await b.get(taskId)).status], ['', 'done'])
})

/** A bench whose work goes to a remote through pull requests, with an accepted task whose branch was pushed. */
async function withPullRequest(t: TestContext, file: string, text: string) {
  const b = await bench(t, { lanes }, { deliver: 'pr', pullRequest: 'true' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await branch(b, file, text)
  await b.gateway.call('tasks_update', { taskId, prUrl: 'https://forge.test/pull/7' })
  b.git('push', '--quiet', 'origin', `task/${taskId}`)
  const host = join(b.folder, 'host')
  b.git('clone', '--quiet', remote, host)
  const inHost = (...args: string[]): string => b.git('-C', host, '-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', ...args)
  const commit = (name: string, content: string, subject: string): void => {
    writeFileSync(join(host, name), content)
    inHost('add', '.')
    inHost('commit', '--quiet', '-m', subject)
  }
  const squash = (): void => {
    inHost('merge', '--quiet', '--squash', `origin/task/${taskId}`)
    inHost('commit', '--quiet', '-m', 'Squashed')
  }
  const push = (): string => inHost('push', '--quiet', 'origin', 'main')
  return { ...b, taskId, inHost, commit, squash, push }
}

for (const { name, later } of [
  { name: 'squashed', later: undefined },
  { name: 'squashed, and whose lines others changed since,', later: 'three\n' },
]) {
  test(`a branch that a code host ${name} is removed from the clone, and its task stays done`, async (t) => {
    const b = await withPullRequest(t, 'a.txt', 'two')
    b.squash()
    if (later !== undefined) b.commit('a.txt', later, 'Later')
    b.push()
    const tip = b.inHost('rev-parse', 'main')
    const { stdout, stderr } = await b.once()
    assert.match(stdout, new RegExp(`^${b.taskId}: nothing to merge into main$`, 'm'), stderr)
    const { status, notes } = await b.get(b.taskId)
    assert.deepEqual([status, notes], ['done', `Said before.\n\nNothing to merge: main has all changes of task/${b.taskId}.`])
    assert.deepEqual([branches(b), b.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0]], [['main'], tip])
    assert.doesNotMatch((await b.once()).stdout, /merge/)
  })
}

test('a branch that a code host removed with its pull request is kept as a rescue branch, and its task stays done', async (t) => {
  const b = await withPullRequest(t, 'a.txt', 'two')
  b.commit('a.txt', 'two and a half\n', 'Solved otherwise')
  b.push()
  const name = `task/${b.taskId}`
  b.git('update-ref', `refs/heads/${name}`, oldCommit(b, name, '-p', 'main'))
  b.inHost('push', '--quiet', 'origin', '--delete', name)
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`^${b.taskId}: the pull request has ended, and its branch is gone from origin$`, 'm'), stderr)
  const { status, notes } = await b.get(b.taskId)
  assert.deepEqual([status, notes], ['done', 'Said before.'])
  const [main, kept = ''] = branches(b)
  assert.deepEqual([main, b.git('show', `${kept}:a.txt`)], ['main', 'two'])
  assert.match(kept, /^rescue\/task-task-/)
  const config = await loadConfig(b.config, b.env)
  const dropped = async (days: number): Promise<string[]> =>
    (await dropRescues(clientOf(b), config, new Date(Date.now() + days * 86_400_000))).map(({ branch }) => branch)
  assert.deepEqual([await dropped(13), await dropped(15)], [[], [kept]])
  assert.doesNotMatch(b.git('config', '--list'), /rescue/)
})

test('a branch without changes is removed, and its task says that there was nothing to merge', async (t) => {
  const b = await bench(t, { lanes })
  const merged = await branch(b, 'b.txt', 'two')
  const empty = await b.task('true')
  b.git('branch', `task/${empty}`, 'main')
  await b.gateway.call('tasks_update', { taskId: empty, status: 'done' })
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`^${merged}: merged into main$`, 'm'), stderr)
  assert.equal((await b.get(empty)).notes, `Nothing to merge: main has all changes of task/${empty}.`)
  assert.deepEqual(branches(b), ['main'])
})

test('a task that somebody took back during the check of its branch is not returned', async (t) => {
  const b = await bench(t, { lanes })
  const taskId = await branch(b, 'b.txt', 'two')
  b.configure({ repos: { [b.name]: { check: `touch ${b.folder}/begun; while ! test -e ${b.folder}/go; do sleep 0.05; done; false` } } })
  const running = b.once()
  await until('the check begins', 60, () => existsSync(join(b.folder, 'begun')))
  await b.gateway.call('tasks_update', { taskId, status: 'blocked' })
  b.touch('go')
  assert.match((await running).stdout, /the task was changed, so its branch was not merged/)
  assert.equal((await b.get(taskId)).status, 'blocked')
})

/** The places where a person sees a branch that waits. */
async function unmerged(b: Bench, taskId: string): Promise<string[][]> {
  const { items } = (await b.gateway.inject({ method: 'GET', url: '/api/attention' })).json()
  const own = items.filter(({ kind, id }: Record<string, string>) => kind === 'unmerged' && id === taskId)
  return own.map(({ title, text }: Record<string, string>) => [title, text])
}

/** A pass of the lane with a client that tells what it reads. */
async function lane(b: Bench, { stuck = new StuckMerges(), asked = (_url: string): unknown => undefined } = {}) {
  const config = await loadConfig(b.config, b.env)
  const said: string[] = []
  const output = { line: (sentence: string) => said.push(sentence), complain: (sentence: string) => said.push(sentence) }
  const [client, drain] = [clientOf(b, asked), new AbortController().signal]
  return { said, order: { client, config, env: b.env, output, merge: config.merge as MergeConfig, drain, stuck } }
}

test('an accepted branch that waits for an hour for another one waits for a person', async (t) => {
  const b = await bench(t, { lanes })
  const first = await branch(b, 'b.txt', 'two', 'review')
  const taskId = await branch(b, 'c.txt', 'three')
  await b.gateway.call('tasks_update', { taskId, dependsOn: [first] })
  let now = 0
  const { order, said } = await lane(b, { stuck: new StuckMerges(() => now) })
  await mergeAll(order)
  now += 3_599_999
  await mergeAll(order)
  assert.deepEqual(await unmerged(b, taskId), [])
  now += 1
  await mergeAll(order)
  const says = `it waits for the branch task/${first}, which its task depends on and main lacks.`
  assert.deepEqual(await unmerged(b, taskId), [['Task “A task” is accepted, and not merged', says]])
  await b.gateway.call('tasks_update', { taskId: first, status: 'done' })
  await mergeAll(order)
  await mergeAll(order)
  assert.deepEqual([await unmerged(b, taskId), said.at(-1)], [[], `${taskId}: merged into main`])
})

test('an accepted branch that two passes could not merge waits for a person, with its reason said once, until it is merged', async (t) => {
  const b = await bench(t, { lanes })
  const taskId = await branch(b, 'a.txt', 'two')
  writeFileSync(join(b.repo, 'a.txt'), 'mine\n')
  const { order, said } = await lane(b)
  await mergeAll(order)
  assert.deepEqual(await unmerged(b, taskId), [])
  await mergeAll(order)
  await mergeAll(order)
  const [[title, text] = []] = await unmerged(b, taskId)
  assert.equal(title, 'Task “A task” is accepted, and not merged')
  assert.match(text ?? '', /^git merge: error: Your local changes to the following files would be overwritten by merge:\n\ta\.txt/)
  assert.equal(said.length, 1)
  const { status, notes } = await b.get(taskId)
  assert.equal(status, 'done')
  assert.match(notes, /^Said before\.\n\nAccepted, not merged: git merge: [^]*a\.txt/)
  const argv = ['runner', 'status', '--config', b.config]
  const shown = await runCommand({ plugins: async () => [runner], argv, env: b.env })
  assert.match(shown.stdout, new RegExp(`accepted, not merged [^]*task/${taskId} `))
  b.git('checkout', '--quiet', '--', 'a.txt')
  await mergeAll(order)
  assert.deepEqual([await unmerged(b, taskId), said.at(-1)], [[], `${taskId}: merged into main`])
})

/** An accepted task whose branch has no changes. */
async function emptyBranch(b: Bench): Promise<string> {
  const taskId = await b.task('true')
  b.git('branch', `task/${taskId}`, 'main')
  await b.gateway.call('tasks_update', { taskId, status: 'done' })
  return taskId
}

for (const { name, prepare, says, sentBack } of [
  { name: 'a merge', prepare: (b: Bench) => branch(b, 'b.txt', 'two'), says: 'Merged into main as', sentBack: true },
  { name: 'a merge with nothing to do', prepare: emptyBranch, says: 'Nothing to merge:', sentBack: false },
  {
    name: 'a conflict',
    prepare: async (b: Bench) => {
      const taskId = await branch(b, 'a.txt', 'two')
      writeFileSync(join(b.repo, 'a.txt'), 'mine')
      b.git('-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '--all', '-m', 'Mine')
      return taskId
    },
    says: 'The branch task/',
    sentBack: false,
  },
  {
    name: 'a merge that fails twice',
    prepare: async (b: Bench) => {
      const taskId = await branch(b, 'a.txt', 'two')
      writeFileSync(join(b.repo, 'a.txt'), 'mine')
      return taskId
    },
    says: 'Accepted, not merged:',
    sentBack: false,
  },
]) {
  for (const change of [{ notes: 'Said meanwhile.' }, { notes: 'Sent back meanwhile.', status: 'blocked' }]) {
    test(`${name} overwrites nothing when ${change.status === undefined ? 'a note is written' : 'its task is sent back'} meanwhile`, async (t) => {
      const b = await bench(t, { lanes })
      const taskId = await prepare(b)
      const { order } = await lane(b)
      const { call } = order.client
      let isChanged = false
      order.client.call = async (tool, args) => {
        if (tool === 'tasks_update' && !isChanged) {
          isChanged = true
          await b.gateway.call('tasks_update', { taskId, ...change })
        }
        return await call(tool, args)
      }
      await mergeAll(order)
      await mergeAll(order)
      const { notes, status } = await b.get(taskId)
      const isNoted = change.status === undefined || sentBack
      assert.match(notes, new RegExp(`^${change.notes.replace('.', '\\.')}${isNoted ? `\n\n${says}` : '$'}`))
      if (change.status !== undefined) assert.equal(status, change.status)
    })
  }
}
