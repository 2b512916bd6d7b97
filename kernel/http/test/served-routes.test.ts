import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { closed, definePlugin, defineRoute, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { startTestGateway } from '@gateway/testing'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { pino } from 'pino'
import type { BootedGateway } from '../../core/src/boot/boot.ts'
import { boot } from '../../defaults/src/boot.ts'
import { createApp } from '../src/app.ts'
import { Connections } from '../src/connections.ts'
import { LoadShedder } from '../src/load-shedder.ts'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
const served: RouteOptions[] = []
let dataDir: string
let gateway: BootedGateway
let shedder: LoadShedder
let app: FastifyInstance
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-routes-'))
  const settings = loadSettings({ env: { GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  gateway = await boot({ plugins: [transport.plugin], settings, log: pino({ level: 'silent' }), env: {} })
  shedder = new LoadShedder(gateway.admission)
  app = createApp(gateway, shedder, new Connections(gateway.admission))
  app.addHook('onRoute', (route) => void served.push(route))
  await app.ready()
})
after(async () => {
  shedder.close()
  await app.close()
  await gateway.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('every route has its description beside it, except MCP, OAuth, and what only the dashboard reads', () => {
  const plain = served.filter(({ method, schema }) => method !== 'HEAD' && schema?.describe === undefined)
  assert.deepEqual([...new Set(plain.map(({ url }) => url))].sort(), [
    '/.well-known/*',
    '/api/attention',
    '/api/dashboard/events',
    '/api/dashboard/pages',
    '/core/mcp',
    '/mcp',
    '/mcp/core',
    '/mcp/t/:families',
    '/oauth/*',
    '/sse',
    '/sse/messages',
  ])
})

test('no route has Fastify compile a schema: a call is validated once, on every transport', () => {
  for (const { url, schema = {}, ...route } of served) {
    assert.deepEqual(
      Object.keys(schema).filter((word) => word !== 'describe'),
      [],
      url,
    )
    assert.deepEqual([route.validatorCompiler, route.serializerCompiler], [undefined, undefined], url)
  }
})

test('a path of the gateway’s own cannot be bound, and the start says so by plugin and name', async () => {
  const route = defineRoute({
    name: 'squat.health',
    description: 'Take a path that is taken.',
    capability: 'read',
    effect: 'read',
    rest: 'GET /health',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    handle: async () => ({}),
  })
  const squat = definePlugin({ id: 'squat', sdk: '^1.0.0', description: 'Squats.', routes: [route] })
  await assert.rejects(
    startTestGateway({ plugins: [squat], listen: true }),
    /plugin 'squat' failed in wire: squat\.health cannot be bound to GET \/health/,
  )
})
