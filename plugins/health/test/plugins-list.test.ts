import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineConfig, definePlugin, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import health from '../src/index.ts'

const Channel = Type.Union([
  Type.Object({ kind: Type.Literal('chat'), code: Type.String({ secret: true }) }, closed),
  Type.Object({ kind: Type.Literal('hook'), url: Type.String() }, closed),
])
const config = defineConfig(
  'shelves',
  Type.Object(
    {
      rows: Type.Integer({ default: 3 }),
      apiToken: Type.Optional(Type.String({ env: 'SHELVES_TOKEN' })),
      channels: Type.Record(Type.String(), Channel, { default: {} }),
      doors: Type.Array(Type.Object({ pin: Type.String({ secret: true }) }, closed), { default: [] }),
    },
    closed,
  ),
)
const shelves = definePlugin({ id: 'shelves', sdk: '^1.0.0', description: 'Shelves.', config })
const broken = definePlugin({
  id: 'broken',
  sdk: '^1.0.0',
  description: 'Breaks.',
  start: async () => {
    throw new Error('no wood')
  },
})
const off = definePlugin({ id: 'cellar', sdk: '^1.0.0', description: 'A cellar.' })

test('plugins are listed with their start, the failed and those that are off too, and with their settings but for secrets', async () => {
  await using gateway = await startTestGateway({
    plugins: [health, shelves, broken, off],
    env: { SHELVES_TOKEN: 'a-token-of-the-tests', GATEWAY_ON_START_FAILURE: 'continue' },
    config: {
      cellar: false,
      shelves: {
        channels: { a: { kind: 'chat', code: 'open sesame' }, b: { kind: 'hook', url: 'https://u:pw@h.example/' } },
        doors: [{ pin: '12345' }],
      },
    },
  })
  const { plugins } = await gateway.call('plugins.list')
  const find = (id: string) => plugins.find((one: { id: string }) => one.id === id)
  assert.deepEqual(find('shelves').settings, {
    rows: 3,
    apiToken: '[redacted]',
    channels: { a: { kind: 'chat', code: '[redacted]' }, b: { kind: 'hook', url: 'https://u:[redacted]@h.example/' } },
    doors: [{ pin: '[redacted]' }],
  })
  assert.deepEqual([find('broken').outcome, find('broken').error, find('broken').description], ['failed', 'no wood', 'Breaks.'])
  assert.deepEqual([find('cellar').outcome, find('cellar').settings], ['off', {}])
  await assert.rejects(gateway.call('plugins.list', {}, { as: { role: 'owner', tenantId: 'acme' } }), { code: 'FORBIDDEN' })
})
