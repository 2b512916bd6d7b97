import { entitlements, type PlanBound } from '@gateway/plugin-entitlements/api'
import { type Collection, optional, pages, type Transaction } from '@gateway/sdk'
import { cards, roster } from '../collections.ts'
import type { Card, StoredEntry } from '../schema.ts'

export const roomUses = { roster, cards, plan: optional(entitlements) }
interface Repos {
  readonly roster: Collection<StoredEntry>
  readonly cards: Collection<Card>
}

/** Counting stops at about this number: no plan with a limit reaches it. */
const COUNT_UP_TO = 100_000
const PAGE = 1_000

/** Counts the repos of a tenant: names in the roster and on cards, each once. */
export async function repoCount({ roster, cards }: Repos): Promise<number> {
  let count = await roster.count({}, { max: COUNT_UP_TO })
  for await (const items of pages(cards, { sort: { repoName: 1 }, limit: PAGE })) {
    const known = await roster.getMany(items.map(({ repoName }) => repoName))
    count += items.length - known.length
    if (count >= COUNT_UP_TO) break
  }
  return count
}

/** Throws PLAN_LIMIT_REACHED when `name` would exceed the plan's number of repos, as part of the transaction that writes it. */
export async function leaveRoom(bound: PlanBound | undefined, name: string, refs: Repos, tx: Transaction): Promise<void> {
  if (!bound || bound.allowed === null) return
  const own = { roster: refs.roster.in(tx), cards: refs.cards.in(tx) }
  if ((await own.roster.get(name)) ?? (await own.cards.get(name))) return
  bound.check(await repoCount(own))
}
