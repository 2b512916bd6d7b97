import type { Atomically, CallContext, Collection } from '@gateway/sdk'
import type { ServedBoot } from '../api.ts'
import { ALL_TIME, counted, monthOf } from '../rules/meter.ts'
import type { Meter } from '../schema.ts'

export interface MeterUses {
  readonly meters: Collection<Meter>
  readonly atomically: Atomically
}

/** Counts a boot for its repo and for its user, in this month and in all time, in one step. */
export async function recordBoot(boot: ServedBoot, { meters, atomically }: MeterUses, ctx: CallContext): Promise<void> {
  const { repo, tool } = boot
  const owners = [ALL_TIME, monthOf(ctx.now())].flatMap(
    (period) =>
      [
        { kind: 'repo', period, repo, tool },
        { kind: 'user', period, userId: ctx.principal.id },
      ] as const,
  )
  try {
    await atomically(async (tx) => {
      for (const owner of owners) {
        const { first, more } = counted(owner, boot)
        await meters.in(tx).upsert(first, more)
      }
    })
  } catch (error) {
    // The bundle is worth more than its count.
    ctx.log.warn('A boot was not counted', { repo, tool, err: error })
  }
}
