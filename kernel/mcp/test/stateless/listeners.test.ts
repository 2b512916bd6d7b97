import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listChanged, type Principal } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import type { BootedGateway } from '../../../core/src/boot/boot.ts'
import { boot } from '../../../defaults/src/boot.ts'
import { KeepAlive } from '../../src/keep-alive.ts'
import { LazyAbort } from '../../src/lazy-abort.ts'
import { Listeners } from '../../src/stateless/listeners.ts'
import type { TaskRecord } from '../../src/stateless/task-records.ts'
import { Tasks } from '../../src/stateless/tasks.ts'
import { Memory } from './memory-stream.ts'
import { ALL } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

let dataDir: string
let gateway: BootedGateway
let tasks: Tasks
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-listeners-'))
  const settings = loadSettings({ env: { GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  gateway = await boot({ plugins: [statelessFixture().plugin], settings, log: pino({ level: 'silent' }), env: {} })
  tasks = new Tasks(gateway, () => {})
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true })
})

const caller = (id: string, tenantId = 'local'): Principal => ({ id, tenantId, kind: 'user', role: 'member' })
async function opened(listeners: Listeners, principal = caller('ann'), stream = new Memory()): Promise<Memory> {
  const params = { notifications: { toolsListChanged: true } }
  await listeners.open({ id: 1, params, principal, capabilities: {}, openStream: () => stream }, tasks)
  return stream
}
const changes = (): void => gateway.bus.emit(listChanged.id, { list: 'tools' }, 'local')

test('beside others a tenant has a quarter of all streams, however many callers it is', async () => {
  const shared = Object.create(gateway, { admission: { value: { isShared: true } } }) as BootedGateway
  const listeners = new Listeners(shared, new KeepAlive())
  const [first] = await Promise.all(Array.from({ length: 1_250 }, (_, i) => opened(listeners, caller(`ann${i % 3}`))))
  await assert.rejects(opened(listeners, caller('ann9')), /a tenant may have 1250 beside others/)
  await opened(listeners, caller('bob', 'elsewhere'))
  first?.close()
  await opened(listeners, caller('ann9'))
})

test('a caller may have 2,500 streams, the gateway 5,000; who leaves makes room at once', async () => {
  const listeners = new Listeners(gateway, new KeepAlive())
  const first = await opened(listeners)
  for (let i = 1; i < 2_500; i++) await opened(listeners)
  await assert.rejects(opened(listeners), { code: -32603, message: /Too many open subscriptions/ })
  await opened(listeners, caller('ann', 'other'))
  for (let i = 1; i < 2_500; i++) await opened(listeners, caller('bob'))
  await assert.rejects(opened(listeners, caller('carol')), { code: -32603 })
  first.close()
  await opened(listeners, caller('carol'))
  await assert.rejects(opened(listeners, caller('dave')), { code: -32603 })
  listeners.close()
  await assert.rejects(opened(listeners), { code: 'UNAVAILABLE' }, 'after a stop began nothing is opened')
})

test('a client that was gone before its stream opened is not kept', async () => {
  const listeners = new Listeners(gateway, new KeepAlive())
  const stream = new Memory()
  stream.close()
  await opened(listeners, caller('ann'), stream)
  const before = stream.sent.length
  changes()
  listeners.close()
  assert.deepEqual([stream.sent.length, stream.ended], [before, false])
})

test('a client that does not keep up is sent away with a result, and told nothing more', async () => {
  const listeners = new Listeners(gateway, new KeepAlive())
  const [slow, quick] = [await opened(listeners), await opened(listeners)]
  slow.full = true
  changes()
  changes()
  assert.deepEqual([slow.ended, slow.sent.length, slow.sent[1].result.resultType], [true, 2, 'complete'])
  assert.deepEqual([quick.ended, quick.sent.length], [false, 3])
  listeners.close()
})

test('an open stream is kept alive until it closes, unless nobody reads it', async () => {
  const keepAlive = new KeepAlive(1)
  // Its timer alone keeps no process running.
  const running = setInterval(() => {}, 1_000)
  const [read, unread] = [new Memory(), new Memory()]
  unread.full = true
  const beats = (count: number): Promise<void> =>
    new Promise((resolve) => {
      read.keepAlive = () => {
        if (++read.alive >= count) resolve()
      }
    })
  keepAlive.add(unread)
  keepAlive.add(read)
  await beats(3)
  assert.equal(unread.alive, 0)
  read.close()
  const { alive } = read
  unread.full = false
  await new Promise<void>((resolve) => (unread.keepAlive = resolve))
  assert.equal(read.alive, alive)
  unread.close()
  clearInterval(running)
})

/** Every task changes while it is read. */
class Changing extends Tasks {
  changed: (record: TaskRecord) => void = () => {}
  override async getMany(caller: Principal, taskIds: readonly string[]): Promise<readonly TaskRecord[]> {
    const found = await super.getMany(caller, taskIds)
    for (const record of found) this.changed(record)
    return found
  }
}

test('a task that changes while its listener is notified is reported once', async () => {
  const listeners = new Listeners(gateway, new KeepAlive())
  const changing = new Changing(gateway, () => {})
  const [principal, stream] = [caller('ann'), new Memory()]
  const task = await changing.begin(principal, new LazyAbort())
  changing.changed = (record) => listeners.taskChanged(record, 'local')
  const params = { notifications: { taskIds: [task?.taskId] } }
  await listeners.open({ id: 1, params, principal, capabilities: ALL, openStream: () => stream }, changing)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    stream.sent.map(({ method }) => method),
    ['notifications/subscriptions/acknowledged', 'notifications/tasks'],
  )
})
