import { type AttentionSource, attentionSource, contribute, gatewayWide } from '@gateway/sdk'
import { states } from '../collections.ts'
import { pool } from '../operations/provider-pool.ts'
import { sharedState } from '../operations/shared-state.ts'
import { stateOf } from '../operations/state.ts'

/** Providers of which too many calls failed: they are not called, or one call tries them, and none has worked since. */
export const trippedBreakers = contribute(attentionSource, {
  uses: { pool, shared: sharedState, wide: gatewayWide(states) },
  create: ({ pool, shared, wide }, ctx): AttentionSource => ({
    kind: 'breaker',
    capability: 'configure',
    alertIn: 'local',
    async look() {
      await shared.refresh(wide, ctx)
      const time = ctx.now()
      const states = [...pool.gates.values()].map((gate) => stateOf(gate, pool, time.getTime()))
      const open = states.filter(({ breaker }) => breaker !== 'closed')
      return {
        count: open.length,
        items: open.map(({ provider, breaker, failures, openUntil }) => ({
          id: provider,
          title: `The breaker of ${provider} is ${breaker === 'open' ? 'open' : 'half open'}`,
          text: `${failures} calls in a row have failed${breaker !== 'open' || openUntil === undefined ? '' : `; it is tried again at ${openUntil}`}.`,
          tone: 'bad',
          at: time.toISOString(),
          link: { to: '/providers' },
        })),
      }
    },
  }),
})
