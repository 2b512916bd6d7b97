import { contribute, definePlugin, Unavailable } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type RunAnswer, type RunRequest, sessionRunner } from '../src/api.ts'
import sessions from '../src/index.ts'

export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const
export type Run = (request: RunRequest) => Promise<RunAnswer>

/** Contributes an agent `echo`, like the family of agents does. */
export function agents(run: Run) {
  return definePlugin({
    id: 'echo-agents',
    sdk: '^1.0.0',
    description: 'An agent for tests.',
    contributes: [contribute(sessionRunner, { create: () => ({ knows: async (name) => name === 'echo', run }) })],
  })
}
export const echo: Run = async ({ content }) => ({ content: `You said ${content}`, facts: { model: 'none' } })
export const unconfigured: Run = async () => {
  throw Unavailable({ message: 'No provider.', setting: 'plugins.providers.providers' })
}
export const start = (run: Run = echo, config: object = {}) =>
  startTestGateway({ plugins: [sessions, agents(run)], config: { sessions: { ...config } } })

/** The five routes, for use by a client. */
export function client(gateway: TestGateway) {
  const send = async (method: string, path: string, body?: object) => {
    const { status, json } = await gateway.inject({ method, url: `/api/sessions${path}`, ...(body && { body }) })
    return { status, body: json() }
  }
  return {
    create: (body: object = { agentName: 'echo' }) => send('POST', '', body),
    list: () => send('GET', ''),
    read: (id: string) => send('GET', `/${id}`),
    close: (id: string) => send('DELETE', `/${id}`),
    say: (id: string, content: unknown, more: object = {}) => send('POST', `/${id}/messages`, { content, ...more }),
    async begin(): Promise<string> {
      return (await send('POST', '', { agentName: 'echo' })).body.sessionId
    },
  }
}
