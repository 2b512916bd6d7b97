import brain from '@gateway/plugin-brain'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const start = (): Promise<TestGateway> => startTestGateway({ plugins: [git, memory, brain, plugin] })

export const acme = { as: { tenantId: 'acme', id: 'bot', role: 'member', kind: 'api-key' } } as const

/** Shares a namespace with acme on behalf of the local tenant, which owns the brain of these tests. */
export const share = (gateway: TestGateway, level: 'read' | 'read-write', namespace = 'web') =>
  gateway.call('brain_namespace_share', { namespace, granteeTenantId: 'acme', level })
export const read = (gateway: TestGateway, args: object = {}) =>
  gateway.call('brain_namespace_read', { ownerTenantId: 'local', namespace: 'web', ...args }, acme)
export const write = (gateway: TestGateway, args: object = {}) =>
  gateway.call(
    'brain_namespace_write',
    { ownerTenantId: 'local', namespace: 'web', kind: 'handoff', slug: 'note', content: '# From acme', ...args },
    acme,
  )
export const commit = (gateway: TestGateway, slug: string, args: object = {}) =>
  gateway.call('brain_commit', { kind: 'session', repo: 'web', slug, content: `# ${slug}`, ...args })
