import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { quotas } from '../collections.ts'
import { config } from '../config.ts'

export const quotaUses = { quotas, atomically, config }
type Refs = Resolved<typeof quotaUses>

const dayOf = (ctx: CallContext): string => ctx.now().toISOString().slice(0, 10)

/** Number of tasks that may still be run today. */
export async function remaining({ quotas, config }: Refs, ctx: CallContext): Promise<number> {
  return Math.max(0, config.inlineQuota - ((await quotas.get(dayOf(ctx)))?.used ?? 0))
}

/** Takes one from today's quota; false if none is left. Concurrent callers never exceed it. */
export function takeOne({ quotas, atomically, config }: Refs, ctx: CallContext): Promise<boolean> {
  return atomically(async (tx) => {
    const day = dayOf(ctx)
    const used = (await quotas.in(tx).get(day))?.used ?? 0
    if (used >= config.inlineQuota) return false
    await quotas.in(tx).upsert({ day, used: 1, startedAt: tx.now.toISOString() }, { inc: { used: 1 } })
    return true
  })
}
