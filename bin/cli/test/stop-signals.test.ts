import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { notesArguments, startService, temporaryFolder } from './cli-fixture.ts'

/** Size of the log that an unclosed store leaves next to its database. */
const logBytes = (dataDir: string): number => statSync(join(dataDir, 'store', 'gateway.db-wal'), { throwIfNoEntry: false })?.size ?? 0

test('a stop of the process group of `npm start` is one stop, although npm hands the signal on as well', async (t) => {
  const folder = await temporaryFolder(t)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const program = [process.execPath, ...notesArguments, 'start'].map((word) => `"${word}"`).join(' ')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'started', private: true, scripts: { start: `exec ${program}` } }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir }
  // Detached: npm leads a process group of its own, as under a shell with job control, or in a container.
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, env, detached: true })
  const closed = once(npm, 'close')
  let log = ''
  npm.stderr.on('data', (part: Buffer) => (log += part.toString()))
  for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('└─')) break
  npm.stdout.resume()
  process.kill(-(npm.pid as number), 'SIGTERM')
  await closed
  assert.match(log, /"msg":"stopped"/)
  assert.equal(existsSync(join(dataDir, 'store', 'gateway.db')), true)
  assert.equal(logBytes(dataDir), 0, 'the store was closed')
})

/**
 * Leads a process group as npm does, and forwards a signal once the service has begun to stop: two copies at once would arrive as
 * one.
 */
const LEADER = `
  import { spawn } from 'node:child_process'
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'inherit', 'pipe'] })
  let log = ''
  const stopping = new Promise((resolve) => child.stderr.on('data', (part) => {
    process.stderr.write(part)
    log += part
    if (log.includes('"msg":"stopping"')) resolve()
  }))
  process.on('SIGTERM', () => stopping.then(() => child.kill('SIGTERM')))
  child.on('exit', (code, signal) => (process.exitCode = code ?? 1))
`

test('a signal that the leader of the process group hands on while the service stops does not cut the stop off', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data')
  // The stop is slow, so that the second copy meets it.
  const slow = { STOP_HANGS: '1', GATEWAY_STOP_TIMEOUT_MS: '1500' }
  const env = { PATH: process.env.PATH ?? '', GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir, ...slow }
  const script = ['--input-type=module', '--eval', LEADER, '--', ...notesArguments, 'start']
  const leader = spawn(process.execPath, script, { env, detached: true })
  const closed = once(leader, 'close')
  let log = ''
  leader.stderr.on('data', (part: Buffer) => (log += part.toString()))
  for await (const line of createInterface({ input: leader.stdout })) if (line.startsWith('└─')) break
  leader.stdout.resume()
  process.kill(-(leader.pid as number), 'SIGTERM')
  const [code] = await closed
  assert.equal(code, 0, log)
  assert.match(log, /"msg":"stopped"/)
  assert.equal(logBytes(dataDir), 0, 'the store was closed')
})

test('signals within a second of the first are the same stop', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = await startService(t, { GATEWAY_DATA_DIR: dataDir, STOP_HANGS: '1', GATEWAY_STOP_TIMEOUT_MS: '1500' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) process.kill(service.pid, signal)
  const { code, log } = await service.signal()
  assert.equal(code, 0, log)
  assert.match(log, /"msg":"stopped"/)
})
