import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import runner from '../src/index.ts'
import { processMark } from '../src/operations/processes.ts'
import { writeRecord } from '../src/operations/record.ts'
import { enterRunner } from '../src/operations/runners.ts'
import { program, until } from './fleet.ts'
import { type Bench, benches } from './support.ts'

const bench = benches()
const command = ({ config, env }: Bench, ...argv: string[]): ReturnType<typeof runCommand> =>
  runCommand({ plugins: async () => [runner], argv: ['runner', ...argv, '--config', config], env })

test('status shows the runners of this machine, live and dead runs, and the machines of the fleet', async (t) => {
  const b = await bench(t)
  const stateDir = join(b.folder, 'state')
  assert.match((await command(b, 'status')).stdout, /^No runner works on this machine\./)
  const mark = processMark(process.pid) as string
  const startedAt = new Date().toISOString()
  const leave = await enterRunner(stateDir, { mark, pid: process.pid, machine: 'm1', url: b.gateway.url, lanes: ['primary'], startedAt })
  const run = { lane: 'primary', agent: 'scripted', repo: b.name, claimId: 'claim-1', phase: 'agent', startedAt } as const
  await writeRecord(stateDir, { ...run, runId: 'run-1', runner: mark, taskId: 'task-1', title: 'At work' })
  await writeRecord(stateDir, { ...run, runId: 'run-2', runner: '1:0', taskId: 'task-2', title: 'Left behind' })
  await b.gateway.call('runner_heartbeat', { machine: 'm7', capabilities: ['primary'] })
  const { stdout } = await command(b, 'status', '--json')
  const { runners, runs, machines } = JSON.parse(stdout)
  assert.deepEqual([runners[0].pid, runners[0].lanes], [process.pid, ['primary']])
  assert.deepEqual(runs.map(({ taskId, state }: Record<string, string>) => [taskId, state]).sort(), [
    ['task-1', 'agent'],
    ['task-2', 'dead'],
  ])
  assert.ok(machines.some(({ machine, down }: Record<string, unknown>) => machine === 'm7' && down === false))
  const table = (await command(b, 'status')).stdout
  assert.match(table, /task-1 +primary +scripted +agent .* At work/)
  assert.match(table, /m7 +alive/)
  const alone = await runCommand({
    plugins: async () => [runner],
    argv: ['runner', 'status', '--config', b.config, '--url', 'http://127.0.0.1:1'],
    env: b.env,
  })
  assert.match(alone.stdout, /task-1 +primary +scripted +agent .* At work/)
  assert.match(alone.stderr, /No gateway answers at http:\/\/127\.0\.0\.1:1/)
  await leave()
  assert.deepEqual(JSON.parse((await command(b, 'status', '--json')).stdout).runners, [])
})

test('drain lets the runners of this machine finish their runs, takes nothing more, and returns when they have ended', async (t) => {
  const b = await bench(t)
  const first = await b.task(`touch ${b.folder}/begun; while ! test -e ${b.folder}/go; do sleep 0.05; done; echo two > b.txt`)
  const child = spawn(process.execPath, [program, 'runner', 'start', '--config', b.config], { env: b.env, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  await until('the run begins', 60, () => existsSync(join(b.folder, 'begun')))
  const second = await b.task('echo never > c.txt')
  const draining = command(b, 'drain', '--json')
  assert.equal(await Promise.race([draining.then(() => 'ended'), new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]), 'waits')
  b.touch('go')
  assert.deepEqual(JSON.parse((await draining).stdout), { drained: [child.pid] })
  if (child.exitCode === null) await once(child, 'exit')
  assert.equal(child.exitCode, 0)
  assert.deepEqual([(await b.get(first)).status, (await b.get(second)).status], ['review', 'pending'])
  assert.equal((await command(b, 'drain')).stdout, 'No runner works on this machine.\n')
})
