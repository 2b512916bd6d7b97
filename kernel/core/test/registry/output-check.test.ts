import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import { boot } from '../../../defaults/src/boot.ts'
import { caller } from './booted.ts'

const tool = (name: string, result: object) =>
  defineTool({
    name,
    description: 'A tool.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ count: Type.Integer() }, closed),
    handle: async () => result as { count: number },
  })
const secret = 'what nobody should read in a log'
const tools = [tool('count_well', { count: 1 }), tool('count_badly', { count: secret }), tool('count_more', { count: 1, more: 1 })]
const plugin = definePlugin({ id: 'counting', sdk: '^1.0.0', description: 'Counts.', tools })

test('while serving, a result that breaks its schema is logged with its plugin and tool, seldom, and never fails the call', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'))
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const env = { GATEWAY_DATA_DIR: dataDir }
  const gateway = await boot({ plugins: [plugin], settings: loadSettings({ env, cwd: dataDir }), log, env })
  try {
    for (let round = 0; round < 3; round++) {
      for (const { name } of tools) {
        const outcome = await gateway.invoke({ ...caller, name, args: {}, signal: new AbortController().signal })
        assert.equal(outcome.ok, true, name)
      }
      await immediate()
    }
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a result does not fit its output schema')
    assert.deepEqual(
      logged.map(({ plugin, operation, fault }) => ({ plugin, operation, fault })),
      [
        { plugin: 'counting', operation: 'count_badly', fault: '/count must be integer' },
        { plugin: 'counting', operation: 'count_more', fault: 'result must NOT have additional properties' },
      ],
    )
    assert.ok(!lines.join('').includes(secret))
  } finally {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
