import { createHash } from 'node:crypto'
import type { TestGateway } from '@gateway/testing'

/**
 * Plants data that names a tenant and is not its own: items it has published for all, a code it has redeemed, a grant from
 * another tenant.
 */
export async function plantOutsideStore(gateway: TestGateway, tenantId: string, other: string, mark: string): Promise<void> {
  const as = (tenantId: string) => ({ as: { tenantId, kind: 'api-key', id: 'key:it', role: 'owner' } as const })
  const artifactContent = `---\nname: ${mark}\ndescription: ${mark}\n---\n\nSay ${mark}.\n`
  const manifest = {
    slug: mark,
    kind: 'skill',
    version: '1.0.0',
    title: mark,
    description: mark,
    tools: [],
    manifestHash: createHash('sha256').update(artifactContent).digest('hex'),
  }
  await gateway.call('marketplace_publish', { manifest, artifactContent }, as(tenantId))
  await gateway.call('marketplace.review-publish', { slug: mark, version: '1.0.0' })
  await gateway.call('marketplace_install', { slug: mark }, as(other))
  await gateway.call('marketplace_install', { slug: mark }, as(tenantId))
  const { code } = await gateway.call('gift-codes.mint', { plan: 'scale' })
  await gateway.call('gift-codes.redeem', { code }, as(tenantId))
  await gateway.call('mrr_snapshot_sweep')
  await gateway.call('brain_namespace_share', { namespace: 'lent', granteeTenantId: tenantId, level: 'read' }, as(other))
}
