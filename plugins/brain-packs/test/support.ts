import brain from '@gateway/plugin-brain'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const start = (): Promise<TestGateway> => startTestGateway({ plugins: [git, memory, brain, plugin] })

export const ATOMS = [
  { kind: 'memory', slug: 'how-we-work', topic: 'docs', content: '# How we work\n\nSmall changes.' },
  { kind: 'handoff', repo: 'web', slug: 'begin', topic: 'docs', content: '# Begin here' },
]
export const publish = (gateway: TestGateway, version: string, args: object = {}) =>
  gateway.call('brain_template_publish', { id: 'starter', version, title: 'Starter', atoms: ATOMS, ...args })

export const tenant = (tenantId: string) => ({ as: { tenantId, id: 'bot', role: 'member', kind: 'api-key' } }) as const
