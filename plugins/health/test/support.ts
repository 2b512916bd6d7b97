import { alertRaised, contribute, definePlugin, type HealthFinding, healthProbe, on } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

/** A part whose health a test decides, and the alerts raised. */
export function part() {
  const alerts: { level: string; source: string; title: string; message: string }[] = []
  let check: () => Promise<HealthFinding> = async () => ({ status: 'healthy' })
  return {
    alerts,
    is: (status: HealthFinding['status'], details: object = {}) => void (check = async () => ({ status, ...details })),
    does: (work: () => Promise<HealthFinding>) => void (check = work),
    plugin: definePlugin({
      id: 'part',
      sdk: '^1.0.0',
      description: 'A part of the gateway, as these tests want it.',
      contributes: [contribute(healthProbe, { create: () => ({ name: 'part', check: () => check() }) })],
      on: [on(alertRaised, { handle: async (alert) => void alerts.push(alert) })],
    }),
  }
}

/** The disk of the test machine does not matter here. */
const config = { health: { diskDegradedMiB: 0, diskUnhealthyMiB: 0 } }

export const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [plugin], config, ...options })
