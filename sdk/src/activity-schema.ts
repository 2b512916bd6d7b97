import { rowLimit } from './list.ts'
import { closed } from './objects.ts'
import { Type } from './schema.ts'

const deedMembers = {
  kind: Type.String({ description: 'task, lease, runner-slot, session …' }),
  id: Type.String(),
  title: Type.String(),
  at: Type.String({ description: 'Since when it is held, or when it ended.' }),
  error: Type.Optional(Type.String()),
  until: Type.Optional(Type.String({ description: 'When it expires.' })),
  page: Type.Optional(Type.String({ description: 'Path of the page that shows it.' })),
}
const deeds = Type.Array(Type.Object(deedMembers, closed))

/** Number of deeds of each sort. */
export const ACTIVITY_ROWS = rowLimit(20, 100, 'Entries of each sort')

/** Members of the answer to a question about an agent or a repo; see `ActivitySummary`. */
export const activityMembers = {
  holds: deeds,
  did: deeds,
  failed: deeds,
  learned: deeds,
  told: deeds,
  timeline: Type.Array(
    Type.Object(
      {
        ...deedMembers,
        sort: Type.Enum(['holds', 'did', 'failed', 'learned', 'told']),
        key: Type.String({ description: 'Unique in this list.' }),
      },
      closed,
    ),
    { description: 'All of them, the latest first.' },
  ),
  spentUsd: Type.Number(),
}
