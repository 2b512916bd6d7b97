import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { atomically, closed, defineEvent, definePlugin, defineTool, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { startTestGateway } from '@gateway/testing'
import { pino } from 'pino'
import { boot } from '../../../defaults/src/boot.ts'
import { caller } from './booted.ts'

const Counted = Type.Object({ count: Type.Integer() }, closed)
const inside = defineEvent('counting.inside', Counted)
const outside = defineEvent('counting.outside', Counted, { public: 'Something was counted.' })
const secret = 'what nobody should read in a log'
const wrong = { count: secret } as unknown as { count: number }
const spec = {
  description: 'A tool.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ well: Type.Optional(Type.Boolean()) }, closed),
  output: Type.Object({}),
} as const
const tools = [
  defineTool({
    ...spec,
    name: 'count_inside',
    uses: { inside },
    async handle({ well }, { inside }) {
      inside.emit(well ? { count: 1 } : wrong)
      return {}
    },
  }),
  defineTool({
    ...spec,
    name: 'count_outside',
    uses: { outside, atomically },
    async handle({ well }, { outside, atomically }) {
      await atomically((tx) => outside.emit(well ? { count: 1 } : wrong, tx))
      return {}
    },
  }),
]
const plugin = definePlugin({ id: 'counting', sdk: '^1.0.0', description: 'Counts.', events: [inside, outside], tools })

test('in tests, a payload that breaks the schema of its event fails its emitter', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  for (const { name } of tools) {
    await gateway.call(name, { well: true })
    await assert.rejects(gateway.call(name), { code: 'INTERNAL_ERROR' })
  }
  const faults = gateway.logs.flatMap(({ err }) => (err === undefined ? [] : [(err as Error).message]))
  assert.deepEqual(faults, [
    'emitted counting.inside against its schema: /count must be integer',
    'emitted counting.outside against its schema: /count must be integer',
  ])
})

test('while serving, such a payload is delivered and logged with its event, seldom', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'))
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const env = { GATEWAY_DATA_DIR: dataDir }
  const gateway = await boot({ plugins: [plugin], settings: loadSettings({ env, cwd: dataDir }), log, env })
  try {
    const received: unknown[] = []
    for (const { id } of [inside, outside]) gateway.bus.subscribe(id, (payload) => received.push(payload))
    for (let round = 0; round < 2; round++)
      for (const { name } of tools)
        assert.equal((await gateway.invoke({ ...caller, name, args: {}, signal: new AbortController().signal })).ok, true)
    await immediate()
    assert.deepEqual(received, [wrong, wrong, wrong, wrong])
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a payload does not fit the schema of its event')
    assert.deepEqual(
      logged.map(({ event, fault }) => ({ event, fault })),
      [inside, outside].map(({ id }) => ({ event: id, fault: '/count must be integer' })),
    )
    assert.ok(!lines.join('').includes(secret))
  } finally {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
