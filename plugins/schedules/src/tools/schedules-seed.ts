import { type CallContext, closed, DuplicateKey, defineTool, isToolError, type Resolved, Type } from '@gateway/sdk'
import { changeSchedule, changeUses } from '../operations/change.ts'
import { type Draft, newSchedule } from '../operations/create.ts'

/** Their tools need not exist yet: a run without them ends in an error that says so. */
const seeds = [
  { name: 'morning_sweep_daily', cronExpr: '0 9 * * *', target: 'morning_sweep' },
  { name: 'evening_sweep_daily', cronExpr: '0 18 * * *', target: 'evening_sweep' },
] as const

const OUTCOMES = ['created', 'existing', 'updated'] as const
type Outcome = (typeof OUTCOMES)[number]

export const schedulesSeed = defineTool({
  name: 'schedules_seed',
  description:
    'Put the standard schedules in place: morning_sweep_daily at 09:00 UTC and evening_sweep_daily at 18:00 UTC. An existing one of that name is kept, and only enabled or disabled. Returns the names: {created, existing, updated}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object({ enabled: Type.Optional(Type.Boolean({ default: true, description: 'Enables or disables them.' })) }, closed),
  output: Type.Object(
    {
      created: Type.Array(Type.String()),
      existing: Type.Array(Type.String(), { description: 'Existed before, unchanged.' }),
      updated: Type.Array(Type.String(), { description: 'Existed before, now enabled or disabled.' }),
    },
    closed,
  ),
  uses: changeUses,
  async handle({ enabled = true }, refs, ctx) {
    const result: Record<Outcome, string[]> = { created: [], existing: [], updated: [] }
    for (const seed of seeds) {
      const outcome = await plant(refs, { ...seed, kind: 'tool', includeMemoryContext: false, enabled }, ctx)
      result[outcome].push(seed.name)
    }
    return result
  },
})

async function plant(refs: Resolved<typeof changeUses>, draft: Draft, ctx: CallContext): Promise<Outcome> {
  const { name, enabled } = draft
  const found = (await refs.schedules.find({ where: { name }, sort: { name: 1 }, limit: 1 })).items[0]
  if (found) {
    if (found.enabled === enabled) return 'existing'
    await changeSchedule(refs, found.scheduleId, { enabled }, ctx)
    return 'updated'
  }
  try {
    // The id follows from the name, so that of two concurrent calls only one creates it.
    await refs.schedules.insert(newSchedule(draft, `schedule-${name}`, ctx))
    return 'created'
  } catch (error) {
    if (isToolError(error) && error.code === DuplicateKey.code) return 'existing'
    throw error
  }
}
