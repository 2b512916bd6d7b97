import { alertRaised, closed, definePlugin, defineTool, on, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

/** Tools that are fast or fail as these tests want, and the alerts raised. */
export function family() {
  const alerts: { title: string; message: string }[] = []
  const tool = { description: 'For tests.', capability: 'read', effect: 'read', output: Type.Object({}) } as const
  const input = Type.Object({ fails: Type.Optional(Type.Boolean()) }, closed)
  const handle = async ({ fails }: { fails?: boolean }): Promise<object> => {
    if (fails) throw new Error('as asked')
    return {}
  }
  return {
    alerts,
    plugin: definePlugin({
      id: 'sample',
      sdk: '^1.0.0',
      description: 'Tools for these tests.',
      tools: [defineTool({ ...tool, name: 'sample_one', input, handle }), defineTool({ ...tool, name: 'sample_two', input, handle })],
      on: [on(alertRaised, { handle: async (alert) => void alerts.push(alert) })],
    }),
  }
}

export async function start(config: object = {}, env: Record<string, string> = {}) {
  const { plugin: sample, alerts } = family()
  const gateway = await startTestGateway({ plugins: [plugin, sample], config: { slo: { ...config } }, env })
  const calls = async (tool: string, times: number, args: object = {}, as: object = {}): Promise<void> => {
    for (let i = 0; i < times; i++) await gateway.call(tool, args, { as }).catch(() => undefined)
  }
  /** Makes a check due and waits for it. */
  const looked = async (): Promise<string[]> => {
    gateway.clock.advance(20)
    await gateway.call('slo_status')
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    return alerts.map(({ title }) => title)
  }
  return { gateway, alerts, calls, looked, [Symbol.asyncDispose]: () => gateway.stop() }
}
