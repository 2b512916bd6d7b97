import { type CallContext, DAY_MS, defined, NotFound, type Resolved } from '@gateway/sdk'
import { accounts, assets, hours, readings } from '../collections.ts'
import { fitOf, flagsOf, isHot, recommendationsOf, stillValid } from '../rules/advice.ts'
import { FIVE_HOURS, WEEK, windowStatus } from '../rules/window.ts'
import type { AccountStatus } from '../schema.ts'
import { MAX_ACCOUNTS, MAX_ASSETS } from './record.ts'

export const statusUses = { accounts, assets, hours, readings }
type Refs = Resolved<typeof statusUses>

/** Readings this old still show the number of tokens per percent, also for the usage of the week before them. */
const READINGS_DAYS = 21
const LOOKBACK_DAYS = READINGS_DAYS + 7
/** Enough to find one reading of each window, and one that shows the tokens per percent. */
const MAX_READINGS = 50

export interface Reserves {
  readonly reserveWeekly: number
  readonly reserveFiveHour: number
}

/** Status of all accounts, or of one. Reads four weeks of hours and the last readings, whatever else is kept. */
export async function status(
  refs: Refs,
  account: string | undefined,
  reserves: Reserves,
  ctx: CallContext,
): Promise<readonly AccountStatus[]> {
  if (account === undefined) {
    const { items } = await refs.accounts.find({ sort: { account: 1 }, limit: MAX_ACCOUNTS })
    const all: AccountStatus[] = []
    for (const one of items) all.push(await ctx.turn(() => statusOf(refs, one.account, reserves, ctx)))
    return all
  }
  if (!(await refs.accounts.get(account))) throw NotFound({ what: 'account', id: account })
  return [await statusOf(refs, account, reserves, ctx)]
}

async function statusOf(
  refs: Refs,
  account: string,
  { reserveWeekly, reserveFiveHour }: Reserves,
  ctx: CallContext,
): Promise<AccountStatus> {
  const now = ctx.now().getTime()
  const daysAgo = (days: number): string => new Date(now - days * DAY_MS).toISOString()
  const [used, read, owned] = await Promise.all([
    refs.hours.find({
      where: { account, hour: { gte: daysAgo(LOOKBACK_DAYS) } },
      sort: { account: 1, hour: 1 },
      limit: LOOKBACK_DAYS * 24 + 1,
    }),
    refs.readings.find({ where: { account, at: { gte: daysAgo(READINGS_DAYS) } }, sort: { account: 1, at: -1 }, limit: MAX_READINGS }),
    refs.assets.find({ where: { account }, limit: MAX_ASSETS }),
  ])
  const fiveHour = windowStatus(FIVE_HOURS, read.items, used.items, reserveFiveHour, now)
  const weekly = windowStatus(WEEK, read.items, used.items, reserveWeekly, now)
  const [last] = read.items
  const known = { fiveHour, weekly, last, assets: owned.items, now }
  const headrooms = [fiveHour.headroomPct, weekly.headroomPct].filter((pct) => pct !== null)
  return {
    account,
    fit: fitOf(known),
    hot: isHot(known),
    headroom: headrooms.length < 2 && !headrooms.includes(0) ? null : Math.min(...headrooms),
    fiveHour,
    weekly,
    ...(last?.fablePct !== undefined && { fablePct: last.fablePct }),
    ...(last?.opusPct !== undefined && { opusPct: last.opusPct }),
    assets: owned.items
      .filter((asset) => stillValid(asset, now))
      .map(({ kind, usd, expires, note }) => ({
        kind,
        ...defined({ usd, expires, note }),
      })),
    flags: [...flagsOf(known)],
    recommendations: [...recommendationsOf(known)],
  }
}
