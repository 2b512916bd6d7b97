import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { containerRuntime } from '../src/operations/container-runtime.ts'
import { diskFinding } from '../src/rules/disk.ts'
import { processFinding } from '../src/rules/process.ts'
import { schedulerFinding } from '../src/rules/scheduler.ts'
import { diskLimitsProvider } from '../src/services/disk-limits.ts'

const MIB = 1_048_576

test('a disk is as well as what is free of it', () => {
  const limits = { diskDegradedMiB: 100, diskUnhealthyMiB: 10 }
  const statuses = [100, 99, 10, 9].map((free) => diskFinding(free * MIB, limits).status)
  assert.deepEqual(statuses, ['healthy', 'degraded', 'degraded', 'unhealthy'])
})

test('a limit of free space that could never apply is refused at the start', () => {
  const limits = (diskDegradedMiB: number, diskUnhealthyMiB: number) =>
    diskLimitsProvider.create({ config: { diskDegradedMiB, diskUnhealthyMiB } } as never, undefined as never)
  assert.throws(() => limits(100, 128), /^Error: diskDegradedMiB must be at least diskUnhealthyMiB, which is 128; got 100$/)
  assert.deepEqual(limits(128, 128), { diskDegradedMiB: 128, diskUnhealthyMiB: 128 })
})

test('a process is degraded when its timers are late or its heap is nearly full', () => {
  assert.equal(processFinding(0, 50, 100).status, 'healthy')
  assert.equal(processFinding(1_000, 50, 100).status, 'degraded')
  assert.equal(processFinding(0, 95, 100).status, 'degraded')
})

test('a scheduler has three intervals after the start, or after its last sign', () => {
  const startedAt = new Date(0)
  const at = (seconds: number, scheduledAt?: string) => schedulerFinding(new Date(seconds * 1_000), { startedAt, scheduledAt }, 60).status
  assert.deepEqual([at(180), at(181), at(181, new Date(60_000).toISOString())], ['healthy', 'degraded', 'healthy'])
})

test('a container runtime answers, or is broken; none is no fault where none is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-socket-'))
  const path = join(folder, 'runtime.sock')
  let answer = 'HTTP/1.1 200 OK\r\n\r\nOK'
  const server = createServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(answer)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  assert.deepEqual(await containerRuntime(path), { status: 'healthy', present: true })
  answer = 'HTTP/1.1 500 Oh\r\n\r\n'
  assert.deepEqual(await containerRuntime(path), { status: 'degraded', present: true, error: 'it answers 500' })
  assert.equal((await containerRuntime('', { DOCKER_HOST: `unix://${path}` })).present, true)
  await new Promise((resolve) => server.close(resolve))
  assert.deepEqual(
    [(await containerRuntime(path)).status, (await containerRuntime('', { DOCKER_HOST: `unix://${path}` })).status],
    ['degraded', 'healthy'],
  )
  rmSync(folder, { recursive: true })
})
