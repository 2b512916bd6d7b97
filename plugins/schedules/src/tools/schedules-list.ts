import { closed, cutShort, defineTool, LIST_BYTES, rowLimit, Type, truncated } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { KINDS, Schedule, STATUSES } from '../schema.ts'

const ROWS = rowLimit(100, 1_000)

export const schedulesList = defineTool({
  name: 'schedules_list',
  description: 'List what runs on a schedule, the soonest first. Returns {count, schedules}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/schedules',
  input: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean({ description: 'true: only enabled ones; false: only disabled ones.' })),
      kind: Type.Optional(Type.Enum(KINDS)),
      status: Type.Optional(Type.Enum(STATUSES, { description: 'Outcome of the last run.' })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ count: Type.Integer(), schedules: Type.Array(Schedule), truncated }, closed),
  uses: { schedules },
  async handle({ enabled, kind, status, limit }, { schedules }) {
    // Lists all values instead of omitting the filter: the index has these fields before the time.
    const where = {
      kind: { in: kind === undefined ? KINDS : [kind] },
      lastStatus: { in: status === undefined ? STATUSES : [status] },
      enabled: { in: enabled === undefined ? [true, false] : [enabled] },
    }
    const rows = ROWS.of(limit)
    const page = await schedules.find({ where, sort: { nextRun: 1 }, limit: rows, maxBytes: LIST_BYTES })
    return { count: page.items.length, schedules: [...page.items], ...cutShort(page, rows) }
  },
})
