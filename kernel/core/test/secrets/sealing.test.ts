import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineSeal, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { pluginSeals } from '../../src/secrets/sealing.ts'

const seals = pluginSeals({ dataDir: '/nowhere', hashKey: 'ab'.repeat(32) })
const seal = seals('vault', 'acme')

test('what is sealed opens as it was, is different each time, and does not show what is in it', () => {
  for (const text of ['', 'secret', 'ä😀\0', 'x'.repeat(100_000)]) {
    const sealed = seal.seal(text, 'mine')
    assert.equal(seal.open(sealed, 'mine'), text)
    assert.notEqual(seal.seal(text, 'mine'), sealed)
    assert.match(sealed, /^[\w-]+$/)
  }
  assert.ok(!Buffer.from(seal.seal('secret', 'mine'), 'base64url').includes('secret'))
})

test('it opens for the same plugin, tenant and owner alone, under the same hash key', () => {
  const sealed = seal.seal('secret', 'mine')
  assert.equal(pluginSeals({ dataDir: '/elsewhere', hashKey: 'ab'.repeat(32) })('vault', 'acme').open(sealed, 'mine'), 'secret')
  assert.equal(seal.open(sealed, 'other'), undefined)
  assert.equal(seals('vault', 'bolt').open(sealed, 'mine'), undefined)
  assert.equal(seals('other', 'acme').open(sealed, 'mine'), undefined)
  // Two different pairs of names must not give the same binding.
  assert.equal(seals('vault","acme', '').open(sealed, 'mine'), undefined)
  assert.equal(pluginSeals({ dataDir: '/nowhere', hashKey: 'cd'.repeat(32) })('vault', 'acme').open(sealed, 'mine'), undefined)
})

test('what was changed, cut short or never sealed does not open', () => {
  const sealed = seal.seal('secret', 'mine')
  for (let at = 0; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    assert.equal(seal.open(changed, 'mine'), undefined, `at ${at}`)
    assert.equal(seal.open(sealed.slice(0, at), 'mine'), undefined, `cut at ${at}`)
  }
  for (const text of ['', 'pts_in_the_clear', `${sealed}A`, `${sealed} `, '😀']) assert.equal(seal.open(text, 'mine'), undefined, text)
})

const keep = defineTool({
  name: 'vault_turn',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ sealed: Type.Optional(Type.String()) }, closed),
  output: Type.Object({}),
  uses: { seal: defineSeal('vault') },
  handle: async ({ sealed }, { seal }) =>
    sealed === undefined ? { sealed: seal.seal('secret', 'mine') } : { text: seal.open(sealed, 'mine') ?? null },
})

test('a tool gets the seal of its tenant, the same after a restart', async () => {
  const plugin = definePlugin({ id: 'vault', sdk: '^1.0.0', description: 'For tests.', tools: [keep] })
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const { sealed } = await gateway.call('vault_turn', {}, { as: { tenantId: 'acme' } })
  await gateway.restart()
  assert.deepEqual(await gateway.call('vault_turn', { sealed }, { as: { tenantId: 'acme' } }), { text: 'secret' })
  assert.deepEqual(await gateway.call('vault_turn', { sealed }, { as: { tenantId: 'bolt' } }), { text: null })
})

test('a plugin that takes the seal of another stops the start', async () => {
  const plugin = definePlugin({ id: 'thief', sdk: '^1.0.0', description: 'For tests.', tools: [keep] })
  await assert.rejects(
    startTestGateway({ plugins: [plugin] }),
    /plugin 'thief' failed in plan: tool vault_turn uses seal: a plugin has a seal of its own only; write defineSeal\('thief'\)/,
  )
})
