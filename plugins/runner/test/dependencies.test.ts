import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Bench, benches } from './support.ts'

const bench = benches()
const subjects = (b: Bench, range: string): string[] => b.git('log', '--format=%s', '--no-merges', range).split('\n')

/** A swarm whose children run these scripts; each waits for those of the given indexes. */
async function swarm(b: Bench, dependents: 'done' | 'review', ...scripts: readonly [string, ...number[]][]): Promise<string[]> {
  const children = scripts.map(([description, ...dependsOnIndexes], at) => ({ title: `child ${at + 1}`, description, dependsOnIndexes }))
  const { swarm, children: planned } = await b.gateway.call('swarm_plan', { repo: b.name, goal: 'Ship the library', children, dependents })
  await b.gateway.call('swarm_approve', { swarmId: swarm.swarmId })
  return planned.map(({ taskId }: { taskId: string }) => taskId)
}

async function run(b: Bench): Promise<void> {
  const { stdout, stderr } = await b.once()
  assert.match(stdout, /: delivered$/m, stderr + stdout)
}

test('a task starts with the work that it depends on, knows the goal and the notes, and its diff has its own changes alone', async (t) => {
  const b = await bench(t)
  const [first, second] = await swarm(
    b,
    'review',
    ['echo lib > lib.txt; echo "summary=Wrote the library." > "$GATEWAY_RESULT_FILE"'],
    ['cat > prompt.txt; cat lib.txt > use.txt', 0],
  )
  await run(b)
  await run(b)
  assert.equal(b.git('show', `task/${second}:use.txt`), 'lib')
  const prompt = b.git('show', `task/${second}:prompt.txt`)
  assert.match(prompt, /Ship the library/)
  assert.match(prompt, new RegExp(`### child 1\n\nTask ${first}, branch task/${first}\\.\n\n[^]*Wrote the library\\.`))
  assert.match((await b.get(second as string)).notes, /^2 files changed/)
  await b.gateway.call('tasks_update', { taskId: second, status: 'pending' })
  await run(b)
  assert.match((await b.get(second as string)).notes, /2 files changed[^]*2 files changed/)
})

test('the lane merges a task after the work that it depends on, and takes nothing that was not accepted with it', async (t) => {
  const b = await bench(t)
  const [first, second] = await swarm(b, 'review', ['echo 1 > lib.txt'], ['sed -i s/1/12/ lib.txt; echo use > use.txt', 0])
  await run(b)
  await run(b)
  b.configure({ lanes: { merge: {} } })
  await b.gateway.call('tasks_update', { taskId: second, status: 'done' })
  await b.once()
  assert.deepEqual(subjects(b, 'main'), ['first'])
  await b.gateway.call('tasks_update', { taskId: first, status: 'done' })
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`^${first}: merged into main\n${second}: merged into main$`, 'm'), stderr)
  assert.deepEqual([subjects(b, 'main'), b.git('show', 'main:lib.txt')], [['child 2', 'child 1', 'first'], '12'])
})

test('a task that depends on work with the same content as merged commits goes on from the base', async (t) => {
  const b = await bench(t)
  const [first, second] = await swarm(
    b,
    'done',
    ['echo lib > lib.txt; git add .; git commit --quiet -m one; echo 2 >> lib.txt'],
    ['cat lib.txt > use.txt', 0],
  )
  await run(b)
  b.git('merge', '--quiet', '--squash', `task/${first}`)
  b.git('-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '-m', 'squashed')
  await b.gateway.call('tasks_update', { taskId: first, status: 'done' })
  await run(b)
  assert.deepEqual(b.git('log', '--format=%s', `task/${second}`).split('\n'), ['child 2', 'squashed', 'first'])
})

for (const { name, later } of [
  { name: 'whose lines others have changed since', later: '3' },
  { name: 'that was reverted since', later: undefined },
]) {
  test(`a task that depends on squashed work ${name} goes on from the base, and is merged`, async (t) => {
    const b = await bench(t)
    const [first, second] = await swarm(
      b,
      'done',
      ['echo 1 > lib.txt; git add .; git commit --quiet -m one; echo 2 > lib.txt'],
      ['echo use > use.txt', 0],
    )
    const commit = (...args: string[]): string => b.git('-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', ...args)
    await run(b)
    b.git('merge', '--quiet', '--squash', `task/${first}`)
    commit('commit', '--quiet', '-m', 'squashed')
    if (later === undefined) commit('revert', '--no-edit', 'HEAD')
    else {
      writeFileSync(join(b.repo, 'lib.txt'), later)
      commit('commit', '--quiet', '--all', '-m', 'later')
    }
    const base = b.git('rev-parse', 'main')
    await b.gateway.call('tasks_update', { taskId: first, status: 'done' })
    await run(b)
    assert.equal(b.git('rev-parse', `task/${second}~1`), base)
    await b.gateway.call('tasks_update', { taskId: first, status: 'review' })
    await b.gateway.call('tasks_update', { taskId: second, status: 'done' })
    b.configure({ lanes: { merge: {} } })
    const { stdout, stderr } = await b.once()
    assert.match(stdout, new RegExp(`^${second}: merged into main$`, 'm'), stderr)
  })
}

test('work that was squashed and then changed is taken by a task that depends on it, and both are merged', async (t) => {
  const b = await bench(t)
  const [first, second] = await swarm(
    b,
    'review',
    ['test -e lib.txt && { echo 3 > lib.txt; exit; }; echo 1 > lib.txt; git add .; git commit --quiet -m one; echo 2 > lib.txt'],
    ['cat lib.txt > use.txt', 0],
  )
  await run(b)
  b.git('merge', '--quiet', '--squash', `task/${first}`)
  b.git('-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '-m', 'squashed')
  await b.gateway.call('tasks_update', { taskId: first, status: 'pending' })
  await run(b)
  await run(b)
  assert.deepEqual([b.git('show', `task/${second}:use.txt`), b.git('show', 'main:lib.txt')], ['3', '2'])
  for (const taskId of [first, second]) await b.gateway.call('tasks_update', { taskId, status: 'done' })
  b.configure({ lanes: { merge: {} } })
  const { stdout, stderr } = await b.once()
  assert.match(stdout, new RegExp(`^${first}: merged into main\n${second}: merged into main$`, 'm'), stderr)
  assert.deepEqual([subjects(b, 'main'), b.git('show', 'main:lib.txt')], [['child 2', 'child 1', 'squashed', 'first'], '3'])
})

test('work of several dependencies is merged, also from the remote, and a conflict between them fails the setup with their names', async (t) => {
  const b = await bench(t, {}, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const [first, second, both, fourth, clash] = await swarm(
    b,
    'review',
    ['echo 1 > one.txt'],
    ['echo 2 > two.txt'],
    ['cat one.txt two.txt > both.txt', 0, 1],
    ['echo 4 > one.txt'],
    ['true', 0, 3],
  )
  for (const _ of [1, 2]) await run(b)
  for (const taskId of [first, second]) b.git('branch', '--quiet', '-D', `task/${taskId}`)
  for (const _ of [1, 2]) await run(b)
  assert.equal(b.git('--git-dir', remote, 'show', `task/${both}:both.txt`), '1\n2')
  assert.equal((await b.once()).code, 1)
  assert.match(
    (await b.get(clash as string)).lastError,
    new RegExp(`^\\[setup\\] The branch task/${fourth}, which the task depends on, conflicts with the base and [^]* in one\\.txt\\.`),
  )
  assert.equal(b.git('branch', '--list', `task/${clash}`), '')
})
