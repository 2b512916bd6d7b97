import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import type { BootedGateway } from '../../core/src/boot/boot.ts'
import { boot } from '../../defaults/src/boot.ts'
import { SqliteStore } from '../../storage-sqlite/src/store.ts'
import { serve } from '../src/serve.ts'

let dataDir: string
let gateway: BootedGateway
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-ready-'))
  const settings = loadSettings({ env: { GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  gateway = await boot({ plugins: [], settings, log: pino({ level: 'silent' }), env: {} })
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const ready = { method: 'GET', url: '/ready' } as const

test('it is not ready while it starts, ready once it has, and not any more when it drains', async () => {
  const served = await serve(gateway, { listen: false, starting: true })
  const starting = await served.inject(ready)
  assert.deepEqual([starting.status, starting.json(), starting.headers['retry-after']], [503, { status: 'starting' }, '1'])
  assert.equal((await served.inject({ method: 'GET', url: '/health' })).status, 200, 'health asks whether it answers')
  served.started()
  const open = await served.inject(ready)
  assert.deepEqual([open.status, open.json()], [200, { status: 'ready' }])
  const closing = served.close()
  const draining = await served.inject(ready)
  assert.deepEqual([draining.status, draining.json()], [503, { status: 'draining' }])
  await closing
})

test('a store that takes no writes, or is not there, is not ready', async (t) => {
  const served = await serve(gateway, { listen: false })
  const found = { connected: true, writesFail: 'database or disk is full' }
  const health = t.mock.method(SqliteStore.prototype, 'health', async () => found)
  const full = await served.inject(ready)
  assert.deepEqual([full.status, full.json()], [503, { status: 'read-only' }])
  health.mock.mockImplementation(async () => ({ connected: false }) as never)
  const gone = await served.inject(ready)
  assert.deepEqual([gone.status, gone.json()], [503, { status: 'disconnected' }])
  await served.close()
})

test('like every probe it is answered under any Host and without a credential', async () => {
  const served = await serve(gateway, { listen: false })
  const { status } = await served.inject({ ...ready, headers: { host: '10.1.2.3:7411', 'x-forwarded-for': '198.51.100.1' } })
  assert.equal(status, 200)
  await served.close()
})
