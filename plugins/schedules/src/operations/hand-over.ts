import { browserSessions } from '@gateway/plugin-sign-in/api'
import { type Collection, defined, type MadeWithKey, type OnBehalf, optional, pages, type Resolved, tenantAdmin } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { MADE_BY_MEMBER, MADE_WITH_KEY } from '../rules/acting.ts'
import type { Schedule } from '../schema.ts'

const PAGE = 500
const MAX_TOLD = 1_000

export const keyUses = { schedules, keys: tenantAdmin, people: optional(browserSessions) }

/** Makes `to` answer for every schedule that any of `from` answered for. A rotation is rare, and reads them all. */
export async function handOver(own: Collection<Schedule>, from: readonly string[], to: string): Promise<readonly MadeWithKey[]> {
  const before = new Set(from)
  const moved: MadeWithKey[] = []
  for await (const items of pages(own, { sort: { name: 1 }, limit: PAGE })) {
    for (const { scheduleId, name, actsAs, updatedAt } of items) {
      if (!before.has(actsAs.id)) continue
      // If someone has changed it meanwhile, that principal answers for it.
      await own.updateOne(scheduleId, { set: { actsAs: { id: to, role: actsAs.role } } }, { updatedAt })
      if (moved.length < MAX_TOLD) moved.push({ kind: 'schedule', id: scheduleId, name })
    }
  }
  return moved
}

/**
 * Returns the principal who answers for a schedule, an API key with its label, by which budgets have caps. `undefined` if it may not
 * call any more: a key that has ended and a member who was removed.
 */
export async function standing(
  { keys, people }: Pick<Resolved<typeof keyUses>, 'keys' | 'people'>,
  answers: OnBehalf,
  tenantId: string,
): Promise<OnBehalf | undefined> {
  const { id } = answers
  if (id.startsWith(MADE_BY_MEMBER)) {
    const role = await people?.roleOfMember(id.slice(MADE_BY_MEMBER.length))
    return people === undefined || role !== undefined ? answers : undefined
  }
  if (!id.startsWith(MADE_WITH_KEY)) return answers
  const key = await keys.standingKey(tenantId, id.slice(MADE_WITH_KEY.length))
  return key && { ...answers, ...defined({ label: key.label }) }
}
