import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import runner from '../src/index.ts'
import { secondsUntilFree, takenPlace } from '../src/rules/taken.ts'
import { type Bench, benches } from './support.ts'

const bench = benches()
const status = ({ config, env }: Bench, ...more: string[]) =>
  runCommand({ plugins: async () => [runner], argv: ['runner', 'status', '--config', config, ...more], env })

/** Says whether the task was given back without a failed try, with the reason in its notes and in the status of the runner. */
async function waits(b: Bench, taskId: string, reason: RegExp): Promise<void> {
  const { code, stdout } = await b.once()
  assert.equal(code, 0, stdout)
  assert.match(stdout, /: returned: /)
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.retryCount, task.lastError], ['pending', undefined, undefined])
  assert.match(task.notes, reason)
  assert.ok(Date.parse(task.nextRetryAt) > b.gateway.clock.now())
  const { waiting } = JSON.parse((await status(b, '--json')).stdout)
  assert.deepEqual([waiting.length, waiting[0].taskId, reason.test(waiting[0].reason)], [1, taskId, true])
}

/** Works on the task when its pause is over, and expects that it is delivered and no longer shown as waiting. */
async function goesOn(b: Bench, taskId: string): Promise<void> {
  b.gateway.clock.advance(901)
  const { stdout, stderr } = await b.once()
  assert.match(stdout, /: delivered/, stderr)
  assert.equal((await b.get(taskId)).status, 'review')
  assert.deepEqual(JSON.parse((await status(b, '--json')).stdout).waiting, [])
}

test('a task whose branch a person has checked out waits until it is free, and the branch stays as it is', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo two > b.txt')
  const branch = `task/${taskId}`
  b.git('checkout', '--quiet', '-b', branch)
  const commit = b.git('rev-parse', 'HEAD')
  const says = /The branch task\/task-\S+ is checked out at \S+\/web-\d+\. The task goes on when it is not: switch that folder to another/
  await waits(b, taskId, says)
  b.gateway.clock.advance(901)
  await waits(b, taskId, says)
  const { notes, pacingDeferCount } = await b.get(taskId)
  assert.deepEqual([notes.match(/is checked out/g).length, pacingDeferCount], [1, 2], 'the reason is noted once')
  assert.match((await status(b)).stdout, /waits since +for\n *task-\S+ +\S+ +The branch task\//)
  assert.equal(b.git('rev-parse', branch), commit)
  assert.equal(b.git('status', '--porcelain'), '')
  assert.deepEqual(b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'), ['main', branch])
  b.git('checkout', '--quiet', 'main')
  await goesOn(b, taskId)
})

test('a task waits while another git process holds a lock of its branch', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo two > b.txt')
  const held = join(b.repo, '.git', 'refs', 'heads', 'task', `${taskId}.lock`)
  mkdirSync(join(held, '..'), { recursive: true })
  writeFileSync(held, '')
  await waits(b, taskId, /Another git process holds \S+\.lock\. Remove this file if none is at work\./)
  rmSync(held)
  await goesOn(b, taskId)
})

test('a task waits while the work of others at the remote cannot be fetched, instead of going on without it', async (t) => {
  const b = await bench(t, {}, { deliver: 'push', base: 'main' })
  const taskId = await b.task('echo two > b.txt')
  const branch = `task/${taskId}`
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('--git-dir', remote, 'branch', branch, 'main')
  b.git('remote', 'add', 'origin', remote)
  const held = join(b.repo, '.git', 'refs', 'remotes', 'origin', `${branch}.lock`)
  mkdirSync(join(held, '..'), { recursive: true })
  writeFileSync(held, '')
  await waits(b, taskId, /Another git process holds \S+\.lock\./)
  rmSync(held)
  await goesOn(b, taskId)
})

/** Lets a command of git fail as on a full disk, until the returned function is called. */
function fillDisk(t: TestContext, b: Bench, command: string): () => void {
  const bin = join(b.folder, 'bin')
  mkdirSync(bin)
  const full = `case " $* " in *" ${command} "*) echo "error: unable to write file b.txt" >&2; exit 128 ;; esac`
  const path = process.env.PATH ?? ''
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${full}\nPATH='${path}' exec git "$@"\n`, { mode: 0o755 })
  process.env.PATH = `${bin}:${path}`
  const free = (): void => {
    process.env.PATH = path
  }
  t.after(free)
  return free
}

test('a task waits while the disk of the runner is full, and the runner leaves nothing there', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo two > b.txt')
  const free = fillDisk(t, b, 'worktree add')
  await waits(b, taskId, /The disk of the runner cannot be written\. If it or its quota there is full, free some space\./)
  free()
  await goesOn(b, taskId)
})

test('files that the agent wrote before the disk was full stay in their folder, and are kept on a branch when there is room', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo "$GATEWAY_TASK_ID" > b.txt')
  const free = fillDisk(t, b, 'commit')
  await waits(b, taskId, /The disk of the runner cannot be written\./)
  const { notes } = await b.get(taskId)
  const [, folder, branch] = /The work stays in the folder (\S+) until it can be committed to the branch (\S+)\.$/.exec(
    notes,
  ) as unknown as [string, string, string]
  assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), `${taskId}\n`)
  const again = await b.once()
  assert.equal(again.code, 0, again.stderr)
  assert.match(
    again.stderr,
    /^task-\S+: the work of a dead run waits for the branch rescue\/\S+\. The disk of the runner cannot be written\./m,
  )
  assert.equal(existsSync(join(folder, 'b.txt')), true)
  free()
  assert.match((await b.once()).stdout, /^task-\S+: a dead run was rescued, branch rescue\//m)
  assert.equal(b.git('show', `${branch}:b.txt`), taskId)
  assert.equal(existsSync(folder), false)
  await goesOn(b, taskId)
})

test('a task is given back at once when the folder of the runner can no longer be written', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo two > b.txt')
  const runs = join(b.folder, 'state', 'runs')
  mkdirSync(join(b.folder, 'state'))
  writeFileSync(runs, '')
  await waits(b, taskId, /The folder of the runner cannot be written: ENOTDIR: not a directory\./)
  assert.equal((await b.get(taskId)).claimedBy, undefined)
  rmSync(runs)
  await goesOn(b, taskId)
})

test('a setup that finds the disk full waits, and one that fails for another reason is a failed try', async (t) => {
  const b = await bench(t, {}, { setup: 'echo "npm error ENOSPC: No space left on device"; exit 1' })
  const taskId = await b.task('echo two > b.txt')
  await waits(b, taskId, /The disk of the runner cannot be written\./)
  b.configure({ repos: { [b.name]: { setup: 'exit 1' } } })
  b.gateway.clock.advance(901)
  assert.equal((await b.once()).code, 1)
  assert.equal((await b.get(taskId)).retryCount, 1)
})

test('each place that passes is known by the words of git, and other faults are not', () => {
  const of = (message: string, code?: string) => takenPlace(Object.assign(new Error(message), code ? { code } : {}))
  const used = "git worktree: fatal: 'task/x' is already used by worktree at '/srv/web'"
  assert.match(of(used)?.reason ?? '', /^The branch task\/x is checked out at \/srv\/web\./)
  assert.match(of(used.replace('used by worktree', 'checked out'))?.reason ?? '', /^The branch task\/x is checked out at \/srv\/web\./)
  assert.match(of("fatal: cannot force update the branch 'task/x' used by worktree at '/srv/web'")?.reason ?? '', /\/srv\/web/)
  assert.deepEqual(of("fatal: Unable to create '/srv/web/.git/index.lock': File exists.\n\nAnother git process"), {
    reason: 'Another git process holds /srv/web/.git/index.lock. Remove this file if none is at work.',
    isShared: true,
  })
  assert.match(of("git worktree: fatal: '/state/worktree' already exists")?.reason ?? '', /^The folder \/state\/worktree /)
  assert.match(of('ENOSPC: no space left on device, write', 'ENOSPC')?.reason ?? '', / is full, free some space\.$/)
  assert.match(of('EDQUOT: quota exceeded', 'EDQUOT')?.reason ?? '', / is full, free some space\.$/)
  const git = 'git worktree: error: unable to write file f.bin\nfatal: Could not reset index file to revision'
  for (const words of [git, 'error: x\nfatal: unable to write new_index file']) assert.match(of(words)?.reason ?? '', /free some space/)
  for (const other of ['fatal: invalid reference: main', 'spawn git ENOENT']) assert.equal(of(other), undefined)
  assert.deepEqual([0, 1, 3, 4, 99].map(secondsUntilFree), [60, 120, 480, 900, 900])
})
