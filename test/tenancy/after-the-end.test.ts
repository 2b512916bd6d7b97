import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { sampleValue } from '../support/sample-arguments.ts'

const DAY = 86_400
const env = { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', GATEWAY_EMBEDDINGS: 'off', PLUGIN_TOOLS_ENABLED: '1' }
const acme: { as: Partial<Principal> } = { as: { tenantId: 'acme', id: 'ann', kind: 'user', role: 'owner' } }

const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String(), text: Type.String() }, closed), key: 'noteId' })
let begun: () => void
let goOn: () => void
const slow = defineTool({
  name: 'note_slowly',
  description: 'Waits, then writes.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { notes },
  async handle(_args, { notes }, ctx) {
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    begun()
    await waiting
    ctx.audit('note.late', { text: 'latemarker' }, { always: true })
    return { note: await notes.insert({ noteId: ctx.newId('note-'), text: 'latemarker' }) }
  },
})
const slowly = definePlugin({ id: 'slowly', sdk: '^1.0.0', description: 'For tests.', collections: [notes], tools: [slow] })

async function erase(gateway: TestGateway): Promise<void> {
  const headers = { 'x-admin-token': env.ADMIN_API_TOKEN }
  assert.equal((await gateway.inject({ method: 'POST', url: '/api/tenants/acme/erasure', headers })).status, 200)
  gateway.clock.advance(15 * DAY)
  assert.deepEqual(
    (await gateway.call('erasure_sweep')).removed.map(({ tenantId }: { tenantId: string }) => tenantId),
    ['acme'],
  )
}

async function nothingIsThere(gateway: TestGateway, texts: readonly string[]): Promise<void> {
  const documents = Object.entries(await gateway.documents('acme')).filter(([, some]) => some.length > 0)
  assert.deepEqual(documents, [])
  assert.equal(existsSync(join(gateway.dataDir, 'audit', 'acme')), false, 'it has no audit trail')
  for (const name of readdirSync(gateway.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(gateway.dataDir, name)
    const bytes = statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0)
    for (const text of texts) assert.equal(bytes.includes(text), false, `${name} holds ${text}`)
  }
  gateway.clock.advance(3_600)
  await gateway.call('erasure_sweep')
  assert.deepEqual(
    (await gateway.audit()).filter(({ name }) => name === 'tenant.removed-late'),
    [],
  )
}

test('usage counts that are in memory at the time of an erasure are never stored', async () => {
  const config = { usage: { flushSeconds: 300 } }
  await using gateway = await startTestGateway({ plugins: standardPlugins, env, config })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  await gateway.call('tasks_create', { repo: 'namedrepo', title: 'Work' }, acme)
  await erase(gateway)
  // A stop stores the counts.
  await gateway.restart()
  await nothingIsThere(gateway, ['namedrepo'])
})

test('nothing of any family is written after an erasure, whatever the tenant has done before', async () => {
  const config = { usage: { flushSeconds: 300 } }
  await using gateway = await startTestGateway({ plugins: standardPlugins, env, config })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  for (const { tools } of standardPlugins) {
    for (const tool of tools) {
      if (tool.capability === 'operator' || tool.openWorld) continue
      for (const all of [false, true]) await gateway.call(tool.name, sampleValue(tool.input as never, all) as object, acme).catch(() => {})
    }
  }
  await erase(gateway)
  for (const job of standardPlugins.flatMap(({ jobs }) => jobs)) await gateway.runJob(job.id)
  await gateway.restart()
  await nothingIsThere(gateway, [])
})

test('a call that outlasts its tenant writes neither documents nor audit records, and begins no other call that would', async () => {
  await using gateway = await startTestGateway({ plugins: [...standardPlugins, slowly], env })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const waits = new Promise<void>((resolve) => (begun = resolve))
  const late = gateway.call('note_slowly', {}, acme)
  late.catch(() => {})
  await waits
  await erase(gateway)
  goOn()
  await assert.rejects(late, { code: 'FORBIDDEN', message: /^Tenant acme is deleted/ })
  await assert.rejects(gateway.call('tasks_create', { repo: 'web', title: 'latemarker' }, acme), { code: 'FORBIDDEN' })
  await gateway.restart()
  await nothingIsThere(gateway, ['latemarker'])
})
