import { checkOrder, defined, type Filter, LIST_BYTES, type Resolved, readTime } from '@gateway/sdk'
import { spend } from '../collections.ts'
import { usdOf } from '../rules/money.ts'
import type { SpendRow } from '../schema.ts'

export const usageUses = { spend }
type Refs = Resolved<typeof usageUses>

const MAX_LIMIT = 500

export interface AskedUsage {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly channelId?: string | undefined
  readonly provider?: string | undefined
  readonly userId?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Rows of spending, newest first. A time belongs to one row only, so the last one is the cursor of the next page. */
export async function usage({ spend }: Refs, asked: AskedUsage) {
  const { channelId, provider, userId, limit = 50 } = asked
  const page = await spend.find({
    where: {
      ...defined({ channel: channelId, provider, member: userId }),
      and: between(asked),
    },
    sort: { createdAt: -1 },
    limit: Math.min(limit, MAX_LIMIT),
    maxBytes: LIST_BYTES,
  })
  const last = page.items.at(-1)
  return {
    rows: page.items.map(({ nanos, channel, member, ...row }) => ({ ...row, channelId: channel, userId: member, costUsd: usdOf(nanos) })),
    ...(page.nextCursor !== undefined && last && { nextCursor: last.createdAt }),
  }
}

function between({ from, to, cursor }: AskedUsage): readonly Filter<SpendRow>[] {
  const timeOf = (text: string | undefined, field: string): Date | undefined => (text === undefined ? undefined : readTime(text, field))
  const period = { from: timeOf(from, 'from'), to: timeOf(to, 'to') }
  checkOrder(period)
  const before = [period.to, timeOf(cursor, 'cursor')].filter((time) => time !== undefined)
  return [
    ...(period.from === undefined ? [] : [{ createdAt: { gte: period.from.toISOString() } }]),
    ...before.map((time) => ({ createdAt: { lt: time.toISOString() } })),
  ]
}
