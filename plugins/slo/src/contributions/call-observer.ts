import { alertRaised, callObserver, contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { watchBreaches } from '../operations/watch.ts'
import { meters } from '../services/meters.ts'

/** Every route is read for a look, so there is one at most so often. */
const LOOK_MS = 15_000

/**
 * Sees every call of this process, on whatever face. The look at the objectives is made by a call as well, after it is answered: who
 * is not called breaks nothing, and each process knows its own calls alone.
 */
export const observer = contribute(callObserver, {
  uses: { meters, config, alerts: alertRaised },
  create({ meters, config, alerts }, ctx) {
    const watch = watchBreaches(alerts, config.cooldownMinutes)
    let looked = 0
    const look = (): void => watch(meters.breaches(ctx.now().getTime()), ctx.now())
    return {
      observe(call) {
        const now = ctx.now().getTime()
        meters.observe(call, now)
        if (config.alertsDisabled || Math.abs(now - looked) < LOOK_MS) return
        looked = now
        setImmediate(look)
      },
    }
  },
})
