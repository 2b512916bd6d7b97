import { alertRaised, callObserver, contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { watchBreaches } from '../operations/watch.ts'
import { meters } from '../services/meters.ts'

/** Interval of the checks, each of which reads every route. */
const LOOK_MS = 15_000

/**
 * Sees every call of this process, on any transport. A call also triggers the check of the objectives, after it is answered: a
 * route without calls breaks nothing, and each process knows only its own calls.
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
