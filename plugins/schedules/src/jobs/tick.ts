import { type CallContext, defined, defineJob, dueIn, type Page, type Resolved } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { due, dueUses, fire } from '../operations/due.ts'
import { eachOf } from '../operations/each-of.ts'
import { giveUp, overdue } from '../operations/lost.ts'
import type { Schedule } from '../schema.ts'
import { runSlots } from '../services/run-slots.ts'

const tickUses = { ...dueUses, slots: runSlots }
type Refs = Resolved<typeof tickUses>

const PAGE = 200

/**
 * Runs due schedules. Twice a second, so that a run begins less than a second late; overlapping, so that a long run delays no
 * other.
 */
export const tick = defineJob('schedules.tick', {
  everySeconds: 0.5,
  overlapping: true,
  activeTenantsOnly: true,
  due: [dueIn(schedules, overdue.where), dueIn(schedules, due.where)],
  uses: tickUses,
  async run(refs, ctx): Promise<void> {
    // Anything beyond a page is left to the next tick, which finds it.
    const { items } = await refs.schedules.find({ ...overdue, limit: PAGE })
    await eachOf(items, (schedule) => giveUp(refs, schedule), ctx)
    await runDue(refs, ctx)
  },
})

/** Reads pages of the size of the free slots, so that this process does not exceed its capacity. */
async function runDue(refs: Refs, ctx: CallContext): Promise<void> {
  for (let cursor: string | undefined; !ctx.signal.aborted; ) {
    const taken = refs.slots.take(ctx.tenantId, PAGE)
    if (taken === 0) return
    let page: Page<Schedule> = { items: [] }
    try {
      page = await refs.schedules.find({ ...due, limit: taken, ...defined({ cursor }) })
    } finally {
      refs.slots.giveBack(ctx.tenantId, taken - page.items.length)
    }
    const fireOne = (schedule: Schedule) => fire(refs, schedule, ctx).finally(() => refs.slots.giveBack(ctx.tenantId, 1))
    await eachOf(page.items, fireOne, ctx)
    cursor = page.nextCursor
    if (cursor === undefined) return
  }
}
