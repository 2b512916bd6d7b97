import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { searchTrail, verifyAudit } from '@gateway/audit'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, testClock } from '@gateway/testing'
import type { KillPoint } from './erasure/killing.ts'
import { plant } from './erasure/plant.ts'
import { plantOutsideStore } from './erasure/plant-outside-store.ts'
import { filesWith, standsElsewhere, tablesWith } from './erasure/remains.ts'
import { type GatewayProcess, warmGateway } from './gateway/spawn.ts'

const TENANT = 'zwischentenant'
const OTHER = 'staystenant'
const MARK = 'quincunxmarker'
const HOUR = 3_600
/** Their data belongs to no tenant, or needs a setup that a test does not have. */
const NOT_PLANTED: Readonly<Record<string, string>> = {
  agents: 'everybody’s',
  'brain-packs': 'the operator’s',
  'brain-hosting': 'of clients of git',
  budgets: 'of models that were paid for',
  canary: 'the gateway’s',
  'code-graph': 'of the operator’s folders',
  dispatch: 'of runners that were asked',
  entitlements: 'of plans that run out',
  health: 'the gateway’s',
  providers: 'the gateway’s',
  'tenant-end': 'the gateway’s',
}

const env = {
  PLUGIN_TOOLS_ENABLED: '1',
  GATEWAY_HASH_KEY: '5a'.repeat(32),
  ERASURE_GRACE_DAYS: '0',
  SYNTHETIC_CANARY_DISABLED: '1',
  GATEWAY_PORT: '0',
}

/**
 * The span from the first count to the note that it is done. The times without a store step cover the work outside of it, and the vacuum.
 */
const points: readonly KillPoint[] = [
  { step: 'upsert', nth: 1, when: 'before' },
  { step: 'upsert', nth: 1, when: 'after' },
  { step: 'removeSome', nth: 1, when: 'after' },
  { step: 'removeSome', nth: 4, when: 9 },
  { step: 'removeSome', nth: 3, when: 40 },
  { step: 'documentsOf', nth: 1, when: 'before' },
  { step: 'scrub', nth: 1, when: 4 },
  { step: 'scrub', nth: 1, when: 15 },
  { step: 'updateOne', nth: 1, when: 'before' },
  { step: 'updateOne', nth: 1, when: 'after' },
  // The proof is written, and the note that it is not.
  { step: 'updateOne', nth: 1, when: 'before' },
  { step: 'updateOne', nth: 1, when: 'after' },
]

async function sweep({ url }: GatewayProcess): Promise<{ readonly failed: readonly unknown[] } | undefined> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  return fetch(`${url}/api/tools/erasure_sweep`, init).then(
    (answer) => answer.json() as Promise<{ failed: readonly unknown[] }>,
    () => undefined,
  )
}

test('an erasure that is killed again and again ends, leaves nothing of the tenant, and is proven once', { timeout: 480_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-erasure-'))
  const database = join(dataDir, 'store', 'gateway.db')
  const spare = () => warmGateway(join(import.meta.dirname, 'erasure', 'gateway.ts'))
  let next = spare()
  let gateway: GatewayProcess | undefined
  const begin = async (kill?: KillPoint): Promise<GatewayProcess> => {
    const warm = next
    next = spare()
    return warm.start({ ...env, GATEWAY_DATA_DIR: dataDir, ...(kill && { KILL_AT: JSON.stringify(kill) }) })
  }
  try {
    const clock = testClock(new Date(Date.now() - HOUR * 1_000))
    const planted = await startTestGateway({ plugins: standardPlugins, dataDir, clock, env })
    for (const tenantId of [TENANT, OTHER]) await planted.tenants.create({ tenantId, name: tenantId, plan: 'team' })
    await plant(planted, TENANT, MARK)
    await plantOutsideStore(planted, TENANT, OTHER, MARK)
    await planted.call('tasks_create', { repo: 'web', title: 'stays' }, { as: { tenantId: OTHER } })
    // A stop writes the counts in memory.
    await planted.restart()
    const own = await planted.documents(TENANT)
    const without = standardPlugins.filter(({ collections }) => collections.every(({ id }) => (own[id] ?? []).length === 0))
    assert.deepEqual(
      without.filter(({ id, collections }) => collections.length > 0 && !Object.hasOwn(NOT_PLANTED, id)).map(({ id }) => id),
      [],
      'families that hold nothing of it',
    )
    await planted.tenants.requestErasure(TENANT)
    await planted.stop()
    assert.ok(readdirSync(join(dataDir, 'brains')).includes(`${TENANT}.git`))
    assert.ok(filesWith(dataDir, MARK).some((name) => name.startsWith('store')))

    const survived: KillPoint[] = []
    for (const point of points) {
      gateway = await begin(point)
      if (await sweep(gateway)) survived.push(point)
      await gateway.kill()
    }
    assert.ok(points.length - survived.length >= 10, `sweeps came to their end despite ${JSON.stringify(survived)}`)
    gateway = await begin()
    assert.deepEqual((await sweep(gateway))?.failed, [])
    await gateway.stop()

    const faults: unknown[] = []
    await verifyAudit(join(dataDir, 'audit'), 'local', (fault) => void faults.push(fault))
    assert.deepEqual(faults, [])
    const { records } = await searchTrail(join(dataDir, 'audit', 'local'), { name: 'tenant.removed', limit: 100 })
    assert.equal(records.length, 1, 'one proof')
    const proof = records[0]?.details as { tenantId: string; left: number; files: string; counted: Record<string, number> }
    assert.deepEqual([proof.tenantId, proof.left, proof.files], [TENANT, 0, 'done'])
    assert.deepEqual([proof.counted['brain.repository'], proof.counted.logs], [1, 300], 'counted before anything went')
    const elsewhere = ['marketplace.published', 'gift-codes.redeemed', 'brain-sharing.granted', 'tenant-end.mrr'] as const
    assert.deepEqual(
      elsewhere.map((name) => proof.counted[name]),
      [1, 1, 1, 1],
    )

    assert.deepEqual(filesWith(dataDir, MARK), [])
    assert.deepEqual(
      // Actions of others belong in their own trails: the operator's, and that of the tenant that granted it something.
      filesWith(dataDir, TENANT).filter((name) => !name.startsWith('audit/local') && !name.startsWith(`audit/${OTHER}`)),
      ['store/gateway.db'],
    )
    const tombstone = ['gateway.tenants', 'tenant-end.endings']
    assert.deepEqual(await tablesWith(database, TENANT), tombstone)
    assert.equal(await standsElsewhere(database, TENANT, tombstone), false)
    assert.notDeepEqual(await tablesWith(database, OTHER), [])
  } finally {
    await Promise.all([gateway?.kill(), next.kill()])
    rmSync(dataDir, { recursive: true, force: true })
  }
})
