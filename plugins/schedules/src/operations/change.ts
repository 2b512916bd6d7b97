import { atomically, type CallContext, checkUnchanged, defined, NotFound, now, type OnBehalf, type Resolved } from '@gateway/sdk'
import { cronTimes } from '@gateway/sdk/cron'
import { schedules } from '../collections.ts'
import { answering } from '../rules/acting.ts'
import type { Clearable, Schedule } from '../schema.ts'
import { keyUses, standing } from './hand-over.ts'

export const changeUses = { ...keyUses, schedules, atomically }
type Refs = Resolved<typeof changeUses>

export type Change = Partial<
  Pick<Schedule, 'name' | 'cronExpr' | 'message' | 'repo' | 'includeMemoryContext' | 'deliverTo' | 'enabled'>
> & {
  /** Members that are removed. */
  readonly clear?: readonly Clearable[]
}

/** True if a change makes a schedule run, or run otherwise: renaming it and switching it off do neither. */
export function concernsRuns({ name: _name, enabled, clear = [], ...rest }: Change): boolean {
  return enabled === true || clear.length > 0 || Object.values(rest).some((value) => value !== undefined)
}

/** The schedule without optional members. */
export function without(schedule: Schedule, clear: readonly Clearable[]): Schedule {
  const rest = { ...schedule }
  for (const name of clear) delete rest[name]
  return rest
}

/** Changes a schedule in one step. The next run counts from now for a new expression, and after having been switched off. */
export function changeSchedule(
  { schedules, atomically, ...keys }: Refs,
  scheduleId: string,
  change: Change,
  ctx: CallContext,
  ifUpdatedAt?: string,
): Promise<Schedule> {
  return atomically(async (tx) => {
    const before = await schedules.in(tx).get(scheduleId)
    if (!before) throw NotFound({ what: 'schedule', id: scheduleId })
    checkUnchanged(before, ifUpdatedAt)
    const { clear = [], ...given } = change
    const { cronExpr = before.cronExpr } = change
    const restarts = change.cronExpr !== undefined || (change.enabled === true && !before.enabled)
    const set = {
      ...given,
      ...(restarts && { nextRun: cronTimes(cronExpr).next(ctx.now()).toISOString() }),
      ...(concernsRuns(change) && { actsAs: await whoAnswers(keys, before, ctx) }),
      updatedAt: now(),
    }
    // A person has decided on a schedule that the gateway had disabled.
    const decided = change.enabled === undefined || before.disabledAt === undefined ? [] : (['disabledAt'] as const)
    const unset = clear.length + decided.length === 0 ? undefined : [...new Set([...clear, ...decided])]
    return (await schedules.in(tx).updateOne(scheduleId, { set, ...defined({ unset }) })) ?? before
  })
}

async function whoAnswers(refs: Pick<Refs, 'keys' | 'people'>, { actsAs }: Schedule, ctx: CallContext): Promise<OnBehalf> {
  const stands = (await standing(refs, actsAs, ctx.tenantId)) !== undefined
  return answering(actsAs, ctx.principal, stands)
}
