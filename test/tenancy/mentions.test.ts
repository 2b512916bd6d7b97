import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { plantOutsideStore } from '../crash/erasure/plant-outside-store.ts'

const owner = (tenantId: string) => ({ as: { tenantId, kind: 'api-key', id: 'key:it', role: 'owner' } }) as const

test('with a tenant goes what names it elsewhere, and nothing that is another’s', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env: { ERASURE_GRACE_DAYS: '0', GATEWAY_EMBEDDINGS: 'off' } })
  for (const tenantId of ['goes', 'stays']) await gateway.tenants.create({ tenantId, name: tenantId, plan: 'team' })
  await plantOutsideStore(gateway, 'goes', 'stays', 'marker')
  // The same text under a slug of another publisher.
  const artifactContent = '---\nname: marker\ndescription: marker\n---\n\nSay marker.\n'
  const manifestHash = createHash('sha256').update(artifactContent).digest('hex')
  const manifest = { slug: 'same', kind: 'skill', version: '1.0.0', title: 'Same', description: 'Same.', tools: [], manifestHash }
  await gateway.call('marketplace_publish', { manifest, artifactContent }, owner('stays'))
  await gateway.call('marketplace.review-publish', { slug: 'same', version: '1.0.0' })
  await gateway.call('brain_namespace_share', { namespace: 'lent', granteeTenantId: 'local', level: 'read' }, owner('stays'))

  await gateway.tenants.requestErasure('goes')
  gateway.clock.advance(1)
  const { removed, failed } = await gateway.call('erasure_sweep')
  assert.deepEqual(failed, [])
  const { counted } = removed[0]
  assert.deepEqual(
    ['marketplace.published', 'gift-codes.redeemed', 'brain-sharing.granted', 'tenant-end.mrr'].map((name) => counted[name]),
    [1, 1, 1, 1],
  )
  const left = await gateway.documents('stays')
  assert.deepEqual(
    left['brain-sharing.grants']?.map((grant) => (grant as { granteeTenantId: string }).granteeTenantId),
    ['local'],
  )
  assert.deepEqual(left['marketplace.installs'], [])
  const { giftCodes } = await gateway.call('gift-codes.list')
  assert.deepEqual(
    giftCodes.map(({ redeemedBy }: { redeemedBy: string }) => redeemedBy),
    ['(removed)'],
  )
  await assert.rejects(gateway.call('marketplace_install', { slug: 'marker' }, owner('stays')), { code: 'MARKETPLACE_REJECTED' })
  assert.equal((await gateway.call('marketplace_install', { slug: 'same' }, owner('stays'))).install.slug, 'same')
})
