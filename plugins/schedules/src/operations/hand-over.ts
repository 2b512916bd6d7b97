import { browserSessions } from '@gateway/plugin-sign-in/api'
import { type Collection, type MadeWithKey, now, type OnBehalf, optional, pages, type Resolved, tenantAdmin } from '@gateway/sdk'
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
      await own.updateOne(scheduleId, { set: { actsAs: { ...actsAs, id: to } } }, { updatedAt })
      if (moved.length < MAX_TOLD) moved.push({ kind: 'schedule', id: scheduleId, name })
    }
  }
  return moved
}

/** True if the principal who answers for a schedule may still call: everyone but a key that has ended and a member who was removed. */
export async function stands(
  { keys, people }: Pick<Resolved<typeof keyUses>, 'keys' | 'people'>,
  { id }: OnBehalf,
  tenantId: string,
): Promise<boolean> {
  if (id.startsWith(MADE_BY_MEMBER))
    return people === undefined || (await people.roleOfMember(id.slice(MADE_BY_MEMBER.length))) !== undefined
  return !id.startsWith(MADE_WITH_KEY) || (await keys.standingKey(tenantId, id.slice(MADE_WITH_KEY.length))) !== undefined
}

const ENDED =
  'The API key it was made with has ended, or the member who made it was removed, so the schedule was disabled. A principal who changes it becomes responsible for it.'

/** Ends a schedule with its key: it is switched off, and gives the reason. */
export async function endWithKey(
  { schedules }: Pick<Resolved<typeof keyUses>, 'schedules'>,
  { scheduleId, nextRun }: Schedule,
): Promise<void> {
  const ended = { enabled: false, lastStatus: 'error', lastError: ENDED, updatedAt: now() } as const
  await schedules.updateOne(scheduleId, { set: ended }, { enabled: true, nextRun })
}
