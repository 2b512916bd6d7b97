import { type AttentionSource, attentionSource, contribute, gatewayWide } from '@gateway/sdk'
import { states } from '../collections.ts'
import { pool } from '../operations/provider-pool.ts'
import { sharedState } from '../operations/shared-state.ts'
import { stateOf } from '../operations/state.ts'

/** Providers that are no longer called because too many of their calls failed. */
export const trippedBreakers = contribute(attentionSource, {
  uses: { pool, shared: sharedState, wide: gatewayWide(states) },
  create: ({ pool, shared, wide }, ctx): AttentionSource => ({
    kind: 'breaker',
    capability: 'configure',
    alertIn: 'local',
    async look() {
      await shared.refresh(wide, ctx)
      const time = ctx.now()
      const open = [...pool.gates.values()].map((gate) => stateOf(gate, pool, time.getTime())).filter(({ breaker }) => breaker === 'open')
      return {
        count: open.length,
        items: open.map(({ provider, failures, openUntil }) => ({
          id: provider,
          title: `The breaker of ${provider} is open`,
          text: `${failures} calls in a row have failed${openUntil === undefined ? '' : `; it is tried again at ${openUntil}`}.`,
          tone: 'bad',
          at: time.toISOString(),
          link: { to: '/providers' },
        })),
      }
    },
  }),
})
