import { closed, defined, defineTool, nextCursor, pageArguments, repoText, rowLimit, Type } from '@gateway/sdk'
import { trashKind } from '../api.ts'
import { entries } from '../collections.ts'
import { newestFirst, stillKept } from '../services/bin.ts'

const ROWS = rowLimit(50, 200, 'Entries')

export const trashList = defineTool({
  name: 'trash_list',
  description:
    'List deleted items that can still be restored, newest first, each with the time it is gone for good (purgeAfter) and the tool that restores it (restoreTool). Returns {entries, nextCursor?}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/trash',
  input: Type.Object(
    {
      kind: Type.Optional(Type.Enum(['task', 'plan'], { description: 'Only entries of this kind.' })),
      repo: Type.Optional(repoText(200, { description: 'Only entries of this repo.' })),
      ...pageArguments(ROWS),
    },
    closed,
  ),
  output: Type.Object({
    entries: Type.Array(
      Type.Object(
        {
          trashId: Type.String(),
          kind: Type.String(),
          itemId: Type.String({ description: 'Id of the record.' }),
          label: Type.String(),
          repo: Type.Optional(Type.String()),
          itemCount: Type.Integer({ description: 'Records in this entry: 1 for a task, the days of a plan.' }),
          deletedBy: Type.String(),
          reason: Type.Optional(Type.String()),
          deletedAt: Type.String(),
          purgeAfter: Type.String(),
          restoreTool: Type.Optional(Type.String({ description: 'Absent while its family is disabled.' })),
        },
        closed,
      ),
    ),
    nextCursor,
  }),
  uses: { entries, kinds: trashKind },
  async handle({ kind, repo, limit, cursor }, { entries, kinds }) {
    const page = await entries.find({
      where: { ...(kind && { kind }), ...(repo && { repo }), ...stillKept },
      sort: newestFirst,
      limit: ROWS.of(limit),
      ...defined({ cursor }),
    })
    const restoreTools = new Map(kinds.map(({ kind, restoreTool }) => [kind, restoreTool]))
    return {
      entries: page.items.map(({ payload: _kept, ...entry }) => {
        const restoreTool = restoreTools.get(entry.kind)
        return restoreTool === undefined ? entry : { ...entry, restoreTool }
      }),
      ...defined({ nextCursor: page.nextCursor }),
    }
  },
})
