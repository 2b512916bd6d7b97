import { createHash } from 'node:crypto'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { installedPackages } from '../src/api.ts'
import plugin from '../src/index.ts'

export type { TestGateway }

/** Makes the queries of the registry of agents and skills. */
export const registry = definePlugin({
  id: 'registry',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({
      name: 'registry_list',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ kind: Type.Enum(['agent', 'skill']) }, closed),
      output: Type.Object({}),
      uses: { installed: installedPackages },
      handle: async ({ kind }, { installed }) => {
        const list = await installed.list(kind)
        return { names: list.map(({ name }) => name), whole: await Promise.all(list.map(({ name }) => installed.get(kind, name))) }
      },
    }),
  ],
})

export const start = (config: object = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [plugin, registry], config: { marketplace: { ...config } } })

export const as = (tenantId: string) => ({ as: { tenantId, kind: 'user', role: 'owner' } }) as const
export const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex')

export const CONTENT = 'You review pull requests. Say what is wrong, and where.'
export function submission(manifest: object = {}, artifactContent = CONTENT) {
  const whole = {
    slug: 'reviewer',
    kind: 'agent',
    version: '1.0.0',
    title: 'Reviewer',
    description: 'Reviews pull requests.',
    category: 'dev',
    tools: ['registry_list'],
    manifestHash: sha256(artifactContent),
    ...manifest,
  }
  return { manifest: whole, artifactContent }
}

export const submit = async (gateway: TestGateway, manifest: object = {}, tenantId = 'author', content = CONTENT) =>
  (await gateway.call('marketplace_publish', submission(manifest, content), as(tenantId))).version

export const decide = async (gateway: TestGateway, decision: string, version = '1.0.0', slug = 'reviewer', submission: object = {}) =>
  (await gateway.call(`marketplace.review-${decision}`, { slug, version, ...submission })).version

export async function published(
  gateway: TestGateway,
  manifest: { slug?: string; version?: string; price?: number; [field: string]: unknown } = {},
) {
  await submit(gateway, manifest)
  return decide(gateway, 'publish', manifest.version, manifest.slug)
}

export const rejected = (check: string, field?: string) => (error: unknown) => {
  const { code, details } = error as { code?: string; details?: { check?: string; field?: string } }
  return code === 'MARKETPLACE_REJECTED' && details?.check === check && (field === undefined || details.field === field)
}
