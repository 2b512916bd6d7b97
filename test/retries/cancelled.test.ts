import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const runs: string[] = []
/** Called once a handler waits. */
let waiting = (): void => {}
const base = { capability: 'work', effect: 'write', input: Type.Object({}, closed), output: Type.Object({}) } as const

/** Waits, at its first run, until its caller has gone. */
async function untilCancelled(name: string, signal: AbortSignal): Promise<object> {
  runs.push(name)
  if (runs.length > 1) return {}
  const { aborted } = signal
  const gone = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  waiting()
  if (!aborted) await gone
  return {}
}

const plugin = definePlugin({
  id: 'charges',
  sdk: '^1.0.0',
  description: 'Charges that wait.',
  tools: [
    defineTool({
      ...base,
      name: 'charge_nothing',
      description: 'Waits before it has done anything.',
      handle: async (_input, _refs, { signal }) => untilCancelled('charge_nothing', signal),
    }),
    defineTool({
      ...base,
      name: 'charge_sent',
      description: 'Waits after it has sent something.',
      async handle(_input, _refs, ctx) {
        await ctx.beforeEffect()
        return untilCancelled('charge_sent', ctx.signal)
      },
    }),
    defineTool({
      ...base,
      name: 'charge_open',
      description: 'Reserves its key first.',
      openWorld: true,
      handle: async (_input, _refs, { signal }) => untilCancelled('charge_open', signal),
    }),
  ],
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [plugin], listen: true })
})
after(() => gateway.stop())

/** Calls the tool, disconnects while it waits, and calls it again with the same key. */
async function repeated(tool: string) {
  runs.length = 0
  const waits = new Promise<void>((resolve) => (waiting = resolve))
  const client = new AbortController()
  const send = (signal?: AbortSignal) =>
    fetch(`${gateway.url}/api/tools/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'pay-1' },
      body: '{}',
      ...(signal && { signal }),
    })
  const first = assert.rejects(send(client.signal))
  await waits
  client.abort()
  await first
  for (;;) {
    const answer = await send()
    const body = (await answer.json()) as { code?: string }
    if (body.code !== 'IDEMPOTENCY_IN_PROGRESS') return { body, replayed: answer.headers.get('idempotency-replayed') }
    await pause(20)
  }
}

for (const tool of ['charge_sent', 'charge_open'])
  test(`a client that disconnects and repeats ${tool} gets the refusal of its first call, and the handler ran once`, async () => {
    const { body, replayed } = await repeated(tool)
    assert.deepEqual([body.code, replayed, runs], ['CANCELLED', 'true', [tool]])
  })

test('a call that was cancelled before it did anything leaves its key free', async () => {
  const { replayed } = await repeated('charge_nothing')
  assert.deepEqual([replayed, runs], [null, ['charge_nothing', 'charge_nothing']])
})
