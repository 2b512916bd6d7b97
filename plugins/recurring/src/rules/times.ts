import type { CallContext } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'

export function nextFire(cronExpr: string, after: Date): string {
  return cronTimes(cronExpr).next(after).toISOString()
}

/** The next three fires after now: what shows whether an expression means what its author thinks. */
export function preview(cronExpr: string, ctx: CallContext): string[] {
  return cronTimes(cronExpr)
    .upcoming(ctx.now(), 3)
    .map((time) => time.toISOString())
}
