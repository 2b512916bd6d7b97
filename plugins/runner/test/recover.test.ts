import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { processMark } from '../src/operations/processes.ts'
import { writeRecord } from '../src/operations/record.ts'
import { benches } from './support.ts'

const bench = benches()
const names = { lane: 'primary', agent: 'scripted', title: 'Left', claimId: 'claim-1', phase: 'claimed' } as const

test('a dead run is cleaned up by one runner at a time, and by the next one if that one dies', async (t) => {
  const b = await bench(t)
  const folder = join(b.folder, 'state', 'runs', 'run-1')
  const startedAt = new Date().toISOString()
  await writeRecord(join(b.folder, 'state'), { ...names, runId: 'run-1', runner: '1:0', taskId: 'task-1', repo: b.name, startedAt })
  const other = spawn('sleep', ['60'], { stdio: 'ignore' })
  t.after(() => other.kill('SIGKILL'))
  writeFileSync(join(folder, 'recovered-by'), processMark(other.pid as number) as string)
  assert.doesNotMatch((await b.once()).stdout, /task-1/)
  assert.equal(existsSync(folder), true)
  other.kill('SIGKILL')
  await new Promise((resolve) => other.once('exit', resolve))
  // Its note may be without a mark as well.
  writeFileSync(join(folder, 'recovered-by'), '')
  assert.match((await b.once()).stdout, /^task-1: a dead run was removed\.$/m)
  assert.equal(existsSync(folder), false)
})

test('records that a power cut has damaged do not keep a runner from starting, and a run that begins is left alone', async (t) => {
  const b = await bench(t)
  const [runs, runners] = [join(b.folder, 'state', 'runs'), join(b.folder, 'state', 'runners')]
  for (const folder of [join(runs, 'run-old'), join(runs, 'run-new'), runners]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(runs, 'run-old', 'run.json'), '')
  writeFileSync(join(runners, '1.json'), '{"mark":')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(runs, 'run-old'), hourAgo, hourAgo)
  const { code, stderr } = await b.once()
  assert.equal(code, 0, stderr)
  assert.deepEqual([existsSync(join(runs, 'run-old')), existsSync(join(runs, 'run-new'))], [false, true])
})

test('work of a dead run is told in the notes of its task, though its claim is over', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('cat half.txt > used.txt')
  const [branch, path, base] = [`task/${taskId}`, join(b.folder, 'left'), b.git('rev-parse', 'main')]
  b.git('worktree', 'add', '--quiet', '-b', branch, path, 'main')
  writeFileSync(join(path, 'half.txt'), 'half\n')
  const tree = { repo: b.repo, path, branch, base, start: base }
  const startedAt = new Date().toISOString()
  await writeRecord(join(b.folder, 'state'), { ...names, runId: 'run-0a1b2c3d-1', runner: '1:0', taskId, repo: b.name, startedAt, tree })
  const { stdout } = await b.once()
  assert.match(stdout, /: delivered$/m)
  const { notes } = await b.get(taskId)
  assert.match(notes, new RegExp(`^A run on m1 did not deliver\\. The work is kept on the branch rescue/${taskId}-0a1b2c3d\\.`))
  assert.equal(b.git('show', `${branch}:used.txt`), 'half')
})
