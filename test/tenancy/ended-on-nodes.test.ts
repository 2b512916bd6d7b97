import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { boot } from '@gateway/defaults'
import { serve } from '@gateway/http'
import { DIMENSIONS, embeddings } from '@gateway/plugin-embeddings/api'
import memory from '@gateway/plugin-memory'
import slo from '@gateway/plugin-slo'
import tenantEnd from '@gateway/plugin-tenant-end'
import tenants from '@gateway/plugin-tenants'
import { closed, contribute, definePlugin, defineTool, externalData, provideProcess, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import { testClock } from '@gateway/testing'
import { pino } from 'pino'
import { openSqlite, type SqliteStore } from '../../kernel/storage-sqlite/src/index.ts'
import { engine } from '../../plugins/memory/src/operations/engine.ts'

const env = {
  GATEWAY_HASH_KEY: '5a'.repeat(32),
  GATEWAY_PORT: '0',
  ERASURE_GRACE_DAYS: '0',
  ADMIN_API_TOKEN: 'the-admin-token-of-the-tests',
}
const log = pino({ level: 'silent' })

const models = definePlugin({
  id: 'embeddings',
  sdk: '^1.0.0',
  description: 'The same vector for every text.',
  provides: [
    provideProcess(embeddings, {
      create: () => ({
        status: () => ({ state: 'ready', model: 'one', dimensions: DIMENSIONS, running: true }),
        embed: async (texts) => texts.map(() => new Float32Array(DIMENSIONS).fill(DIMENSIONS ** -0.5)),
        forgetQueries() {},
      }),
    }),
  ],
})

/** Keeps data of tenants outside the store, and reads the memory of its process. */
const shelf = (kept: Set<string>) =>
  definePlugin({
    id: 'shelf',
    sdk: '^1.0.0',
    description: 'Keeps a thing of each tenant on its node.',
    tools: [
      defineTool({
        name: 'vectors_loaded',
        description: 'Tells a test if vectors of a tenant are in memory.',
        capability: 'operator',
        effect: 'read',
        input: Type.Object({ of: Type.String() }, closed),
        output: Type.Object({ loaded: Type.Boolean() }, closed),
        uses: { engine },
        handle: async ({ of }, { engine }) => ({ loaded: engine.loaded.get(of) !== undefined }),
      }),
    ],
    contributes: [
      contribute(externalData, {
        create: () => ({
          name: 'shelf.things',
          count: async (tenantId) => (kept.has(tenantId) ? 1 : 0),
          remove: async (tenantId) => void kept.delete(tenantId),
        }),
      }),
    ],
  })

const onNode = (store: SqliteStore): Store =>
  new Proxy(store, {
    get(_, name) {
      if (name === 'shared') return true
      if (name === 'close') return async () => {}
      const value: unknown = Reflect.get(store, name, store)
      return typeof value === 'function' ? value.bind(store) : value
    },
  })

async function cluster() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-nodes-'))
  const clock = testClock()
  const store = await openSqlite({ dataDir: folder, clock, log })
  const stops: (() => Promise<void>)[] = []

  async function node(name: string) {
    const dataDir = join(folder, name)
    const kept = new Set(['acme'])
    const own = { ...env, GATEWAY_DATA_DIR: dataDir }
    const settings = loadSettings({ env: own, cwd: folder })
    const plugins = [models, memory, slo, tenants, tenantEnd, shelf(kept)]
    const gateway = await boot({ plugins, settings, log, env: own, clock }, { openStore: async () => onNode(store) })
    const served = await serve(gateway, { listen: false })
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= served.close().then(() => gateway.stop()))
    stops.push(stop)
    const call = async (name: string, args: object, tenantId = 'local') => {
      const role = tenantId === 'local' ? 'operator' : 'owner'
      const principal = { id: 'ada', kind: 'api-key', role, tenantId } as const
      const outcome = await gateway.invoke({ name, args, principal, via: 'mcp', requestId: 'test' })
      assert.ok(outcome.ok, JSON.stringify(outcome))
      return outcome.result as Record<string, unknown>
    }
    const whoami = async (apiKey: string): Promise<number> =>
      (await served.inject({ method: 'GET', url: '/api/auth/whoami', headers: { 'x-api-key': apiKey } })).status
    return {
      gateway,
      call,
      kept,
      stop,
      whoami,
      trail: () => existsSync(join(dataDir, 'audit', 'acme')),
      vectors: async () => (await call('vectors_loaded', { of: 'acme' })).loaded,
      figures: async () => ((await call('perf_stats', {}, 'acme')).tools as readonly unknown[]).length > 0,
    }
  }

  return {
    clock,
    node,
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Node = Awaited<ReturnType<Awaited<ReturnType<typeof cluster>>['node']>>

/** Creates data of the tenant on a node: in its memory, and in its data folder. */
async function use({ call, gateway }: Node): Promise<void> {
  await call('memory_store', { content: 'the quick fox' }, 'acme')
  await gateway.jobs.runEverywhere('memory.embed')
  await call('memory_search', { query: 'fox' }, 'acme')
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate)
}

test('a tenant that is erased on one node is forgotten by the others at once, and what they keep of it by themselves goes', async () => {
  await using it = await cluster()
  const [a, b] = [await it.node('a'), await it.node('b')]
  await a.gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await a.gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live' })
  await b.gateway.relay.catchUp()
  for (const node of [a, b]) {
    await use(node)
    assert.deepEqual([await node.whoami(apiKey), node.trail(), node.kept.size], [200, true, 1])
    assert.deepEqual([await node.vectors(), await node.figures()], [true, true])
  }
  await a.gateway.tenants.requestErasure('acme')
  it.clock.advance(1)
  assert.equal((await a.call('erasure_sweep', {})).count, 1)
  await b.gateway.relay.catchUp()
  await until(() => !b.trail() && b.kept.size === 0)
  for (const node of [a, b]) {
    assert.deepEqual([await node.whoami(apiKey), node.trail(), node.kept.size], [401, false, 0])
    assert.deepEqual([await node.vectors(), await node.figures()], [false, false])
  }
})

test('a node that was away when a tenant was erased makes up for it at its start', async () => {
  await using it = await cluster()
  const [a, b] = [await it.node('a'), await it.node('b')]
  await a.gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  await b.gateway.relay.catchUp()
  await use(b)
  await b.stop()
  assert.ok(b.trail())
  await a.gateway.tenants.requestErasure('acme')
  it.clock.advance(1)
  assert.equal((await a.call('erasure_sweep', {})).count, 1)
  const again = await it.node('b')
  await until(() => !again.trail() && again.kept.size === 0)
})
