import type { CallContext } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'

export function nextFire(cronExpr: string, after: Date): string {
  return cronTimes(cronExpr).next(after).toISOString()
}

/** Returns the next three fires after now, which show whether an expression means what its author thinks. */
export function preview(cronExpr: string, ctx: CallContext): string[] {
  return cronTimes(cronExpr)
    .upcoming(ctx.now(), 3)
    .map((time) => time.toISOString())
}
