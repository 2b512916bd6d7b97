import { closed, definePlugin, defineResource, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import usage from '../src/index.ts'

export type { TestGateway }

const tool = {
  description: 'For tests.',
  capability: 'work',
  effect: 'read',
  input: Type.Object({ repo: Type.Optional(Type.String()) }, closed),
  output: Type.Object({}),
} as const
const worker = definePlugin({
  id: 'worker',
  sdk: '^1.0.0',
  description: 'Something to use.',
  tools: [
    defineTool({ ...tool, name: 'work_do', handle: async () => ({}) }),
    defineTool({ ...tool, name: 'work_other', handle: async () => ({}) }),
    defineTool({ ...tool, name: 'work_fail', handle: () => Promise.reject(new Error('it broke')) }),
  ],
  resources: [
    defineResource({
      uri: 'work://one',
      name: 'one',
      description: 'd',
      mimeType: 'text/plain',
      read: async () => [{ uri: 'work://one', text: '1' }],
    }),
  ],
})

export const ADMIN = 'an-admin-token-of-some-length'

export const start = (config: object = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [usage, worker], config: { usage: { ...config } }, env: { ADMIN_API_TOKEN: ADMIN }, ...options })

/** The counts, once all of them are stored. */
export async function breakdown(gateway: TestGateway, query = ''): Promise<Record<string, unknown>> {
  await gateway.restart()
  const answer = await gateway.inject({ method: 'GET', url: `/api/usage/breakdown${query}`, headers: { 'x-admin-token': ADMIN } })
  return answer.json()
}
