import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import { boot } from '../../defaults/src/boot.ts'
import { serve } from '../src/serve.ts'

const DRAIN_MS = 600

/** Serves a tool that answers once it is released. */
async function serving(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-drain-'))
  let release = (): void => {}
  let begun = (): void => {}
  const isRunning = new Promise<void>((resolve) => void (begun = resolve))
  const held = new Promise<void>((resolve) => void (release = resolve))
  const tool = (name: string, handle: () => Promise<Record<string, never>>) =>
    defineTool({
      name,
      description: 'Answers.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      handle,
    })
  const hold = tool('hold', async () => {
    begun()
    await held
    return {}
  })
  const plugin = definePlugin({ id: 'answers', sdk: '^1.0.0', description: 'Answers.', tools: [hold, tool('answer', async () => ({}))] })
  const env = { GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir, GATEWAY_DRAIN_MS: String(DRAIN_MS) }
  const gateway = await boot({ plugins: [plugin], settings: loadSettings({ env, cwd: dataDir }), log: pino({ level: 'silent' }), env: {} })
  const served = await serve(gateway)
  t.after(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { served, isRunning, release }
}

function call(url: string, path: string, agent: Agent): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, {
      method: path === '/health' ? 'GET' : 'POST',
      agent,
      headers: { 'content-type': 'application/json' },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      text(response).then(() => resolve({ status: response.statusCode, connection: response.headers.connection }), reject)
    })
    sent.end(path === '/health' ? undefined : '{}')
  })
}

test('while it drains each answer is the last of its connection, and no call is refused until the drain is over', async (t) => {
  const { served, isRunning, release } = await serving(t)
  const [kept, other, probing] = [0, 1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 })) as [Agent, Agent, Agent]
  t.after(() => {
    for (const agent of [kept, other, probing]) agent.destroy()
  })
  const before = await call(served.url, '/api/tools/answer', kept)
  assert.deepEqual([before.status, before.connection], [200, 'keep-alive'])
  const waiting = call(served.url, '/api/tools/hold', other)
  await isRunning
  const begun = performance.now()
  const closing = served.close()
  release()
  assert.deepEqual(await waiting, { status: 200, connection: 'close' }, 'a call that ran before the stop')
  assert.deepEqual(await call(served.url, '/health', probing), { status: 200, connection: 'close' })
  let answered = 0
  for (; performance.now() - begun < DRAIN_MS / 2; answered++)
    assert.deepEqual(await call(served.url, '/api/tools/answer', kept), { status: 200, connection: 'close' })
  assert.ok(answered > 0)
  await closing
  await assert.rejects(call(served.url, '/api/tools/answer', kept), { code: 'ECONNREFUSED' })
})
