import type { CallContext } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'
import { whoCalls } from '../rules/acting.ts'
import type { Order } from '../rules/tool-call.ts'
import type { Schedule } from '../schema.ts'

export interface Draft extends Order {
  readonly name: string
  readonly cronExpr: string
  readonly enabled: boolean
  readonly deliverTo?: string
}

/** Returns a schedule that has never run. The caller answers for it. Throws BAD_REQUEST for a wrong `cronExpr`. */
export function newSchedule(draft: Draft, scheduleId: string, ctx: CallContext): Schedule {
  const now = ctx.now()
  return {
    ...draft,
    scheduleId,
    nextRun: cronTimes(draft.cronExpr).next(now).toISOString(),
    lastStatus: 'never',
    actsAs: whoCalls(ctx.principal),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

/** Returns the next three fires after now, which show whether an expression means what its author thinks. */
export function preview(cronExpr: string, ctx: CallContext): string[] {
  return cronTimes(cronExpr)
    .upcoming(ctx.now(), 3)
    .map((time) => time.toISOString())
}
