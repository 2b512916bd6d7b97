import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { type CuratedConnector, curatedConnector } from '../src/api.ts'
import { bundled } from '../src/rules/bundled.ts'
import { get, list, set, start, toggle } from './support.ts'

const brings = (id: string, of: Partial<CuratedConnector> = {}) =>
  definePlugin({
    id,
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [
      contribute(curatedConnector, {
        create: () =>
          ({
            key: 'wiki',
            label: `Wiki of ${id}`,
            category: 'docs',
            description: 'Pages.',
            transport: 'http',
            url: 'https://wiki.example.com/mcp',
            ...of,
          }) as CuratedConnector,
      }),
    ],
  })

/** Creates a data folder that outlives its gateways, but not its test. */
function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'gateway-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('the first look puts the curated set in place and shows it, by key', async () => {
  await using gateway = await start()
  const shown = await list(gateway)
  assert.deepEqual(
    shown.map(({ key }) => key),
    bundled.map(({ key }) => key).sort(),
  )
  assert.ok(shown.every(({ source }) => source === 'bundled'))
  assert.deepEqual(await list(gateway), shown, 'the second look changes nothing')
  const github = shown.find(({ key }) => key === 'github')
  assert.deepEqual([github?.transport, github?.enabled, github?.requiresEnv], ['http', false, ['GITHUB_PERSONAL_ACCESS_TOKEN']])
})

test('the curated set has each category but custom, and what is on needs nothing of whoever connects', () => {
  assert.deepEqual([...new Set(bundled.map(({ category }) => category))].sort(), [
    'browser',
    'deploy',
    'design',
    'docs',
    'framework',
    'storage',
    'vcs',
  ])
  for (const { key, enabled, env } of bundled) assert.ok(!enabled || env === undefined, key)
})

test('of many first looks at once each shows the whole set, put in place once', async () => {
  await using gateway = await start()
  const looks = await Promise.all(Array.from({ length: 20 }, () => list(gateway)))
  for (const shown of looks) assert.deepEqual(shown, looks[0])
  assert.equal((await gateway.documents()).connectors?.length, bundled.length)
})

test('custom ones stand among them, with transport, switch, source and what they need', async () => {
  await using gateway = await start()
  await set(gateway, 'mine', { command: 'run', env: { TOKEN: '${MY_TOKEN}' }, enabled: false })
  const mine = await get(gateway, 'mine')
  assert.deepEqual([mine?.transport, mine?.enabled, mine?.source, mine?.requiresEnv], ['stdio', false, 'custom', ['MY_TOKEN']])
})

test('each tenant has its own', async () => {
  await using gateway = await start()
  await set(gateway, 'mine', { command: 'run' })
  await toggle(gateway, 'context7', false)
  const others = await list(gateway, { tenantId: 'acme' })
  assert.equal(
    others.find(({ key }) => key === 'mine'),
    undefined,
  )
  assert.equal(others.find(({ key }) => key === 'context7')?.enabled, true)
})

test('a plugin brings a connector; of two with one key the first is there, and none takes a bundled one’s', async () => {
  await using gateway = await start({ plugins: [brings('first'), brings('second'), brings('third', { key: 'github' })] })
  const wiki = await get(gateway, 'wiki')
  assert.deepEqual([wiki?.label, wiki?.source, wiki?.enabled], ['Wiki of first', 'bundled', false])
  assert.equal((await get(gateway, 'github'))?.label, 'GitHub')
})

test('without its plugin a connector is gone, and with it again its switch is as it was', async (t) => {
  const dataDir = folder(t)
  for (const step of ['with', 'without', 'again']) {
    await using gateway = await start({ dataDir, plugins: step === 'without' ? [] : [brings('first')] })
    if (step === 'with') await toggle(gateway, 'wiki', true)
    assert.equal((await get(gateway, 'wiki'))?.enabled, step === 'without' ? undefined : true, step)
    if (step === 'without') await assert.rejects(toggle(gateway, 'wiki', true), { code: 'NOT_FOUND' })
  }
})

test('a catalogue that changed is brought up to date by seeding, and the switch stays', async (t) => {
  const dataDir = folder(t)
  const seed = { seeded: 1, present: bundled.length }
  {
    await using gateway = await start({ dataDir })
    assert.deepEqual(await gateway.call('connectors_seed_defaults'), { seeded: bundled.length, present: 0 })
  }
  {
    await using gateway = await start({ dataDir, plugins: [brings('first', { env: { Authorization: '${A}' } })] })
    assert.deepEqual(await gateway.call('connectors_seed_defaults'), seed)
    assert.deepEqual(await gateway.call('connectors_seed_defaults'), { seeded: 0, present: bundled.length + 1 })
    await toggle(gateway, 'wiki', true)
  }
  const moved = {
    label: 'Wiki',
    enabled: false,
    transport: 'stdio',
    command: 'wiki',
    url: undefined,
  } as unknown as Partial<CuratedConnector>
  await using gateway = await start({ dataDir, plugins: [brings('first', moved)] })
  assert.equal((await get(gateway, 'wiki'))?.transport, 'http', 'a look alone brings nothing up to date')
  await gateway.call('connectors_seed_defaults')
  const { createdAt: _c, updatedAt: _u, ...wiki } = (await get(gateway, 'wiki')) ?? assert.fail()
  const fields = { key: 'wiki', label: 'Wiki', category: 'docs', description: 'Pages.' }
  assert.deepEqual(wiki, { ...fields, transport: 'stdio', command: 'wiki', args: [], requiresEnv: [], enabled: true, source: 'bundled' })
})

test('seeding leaves alone a custom connector whose key became a curated one’s', async (t) => {
  const dataDir = folder(t)
  {
    await using gateway = await start({ dataDir })
    await set(gateway, 'wiki', { command: 'mine' })
  }
  await using gateway = await start({ dataDir, plugins: [brings('first')] })
  await gateway.call('connectors_seed_defaults')
  const wiki = await get(gateway, 'wiki')
  assert.deepEqual([wiki?.source, wiki?.command], ['custom', 'mine'])
  assert.equal((await gateway.call('connectors_remove', { key: 'wiki' })).outcome, 'deleted')
  assert.equal((await get(gateway, 'wiki'))?.source, 'bundled')
})
