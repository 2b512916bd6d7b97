import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { notesArguments, startService, temporaryFolder } from './cli-fixture.ts'

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
  assert.equal(existsSync(join(dataDir, 'store', 'gateway.db-wal')), false, 'the store was closed')
})

test('signals within a second of the first are the same stop', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = await startService(t, { GATEWAY_DATA_DIR: dataDir })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) process.kill(service.pid, signal)
  const { code, log } = await service.signal()
  assert.equal(code, 0, log)
  assert.match(log, /"msg":"stopped"/)
})
