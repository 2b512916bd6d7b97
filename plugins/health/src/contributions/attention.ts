import { type AttentionSource, attentionSource, contribute, gatewayWide } from '@gateway/sdk'
import { states } from '../collections.ts'
import { STATE } from '../operations/cycle.ts'

/** Unhealthy parts of the gateway, as the latest cycle found them. */
export const unwellParts = contribute(attentionSource, {
  uses: { states: gatewayWide(states) },
  create: ({ states }): AttentionSource => ({
    kind: 'health',
    capability: 'operator',
    // The health cycle raises its own alerts.
    alertIn: 'none',
    async look() {
      const report = (await states.get(STATE))?.report
      const unwell = report?.checks.filter(({ status }) => status !== 'healthy') ?? []
      return {
        count: unwell.length,
        items: unwell.map(({ name, status, details }) => ({
          id: name,
          title: `${name} is ${status}`,
          ...(typeof details.error === 'string' && { text: details.error.slice(0, 300) }),
          tone: status === 'unhealthy' ? 'bad' : 'warn',
          at: report?.checkedAt ?? '',
          link: { to: '/system' },
        })),
      }
    },
  }),
})
