import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadSettings } from '@gateway/kernel'
import { listChanged, type Principal } from '@gateway/sdk'
import { pino } from 'pino'
import { type BootedGateway, boot } from '../../../src/boot/boot.ts'
import type { EventStream } from '../../../src/mcp/event-stream.ts'
import { KeepAlive } from '../../../src/mcp/keep-alive.ts'
import { Listeners } from '../../../src/mcp/stateless/listeners.ts'
import { Tasks } from '../../../src/mcp/stateless/tasks.ts'
import { eraFixture } from './era-plugin.ts'

let dataDir: string
let gateway: BootedGateway
let tasks: Tasks
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-listeners-'))
  const settings = loadSettings({ env: { GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  gateway = await boot({ plugins: [eraFixture().plugin], settings, log: pino({ level: 'silent' }), env: {} })
  tasks = new Tasks(gateway, () => {})
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true })
})

/** A stream whose reader a test can hold up, or take away. */
class Memory implements EventStream {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly sent: any[] = []
  full = false
  ended = false
  alive = 0
  gone = false
  readonly #listeners: (() => void)[] = []
  send(message: string | Buffer): void {
    this.sent.push(JSON.parse(message.toString()))
  }
  prime(): void {
    assert.fail('streams of this era cannot be taken up again')
  }
  keepAlive(): void {
    this.alive++
  }
  end(): void {
    this.ended = true
    this.close()
  }
  onClose(listener: () => void): void {
    if (this.gone) listener()
    else this.#listeners.push(listener)
  }
  close(): void {
    this.gone = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

const caller = (id: string, tenantId = 'local'): Principal => ({ id, tenantId, kind: 'user', role: 'member' })
async function opened(listeners: Listeners, principal = caller('ann'), stream = new Memory()): Promise<Memory> {
  const params = { notifications: { toolsListChanged: true } }
  await listeners.open({ id: 1, params, principal, capabilities: {}, openStream: () => stream }, tasks)
  return stream
}
const changes = (): void => gateway.bus.emit(listChanged.id, { list: 'tools' }, 'local')

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
