import { atomically, checkUnchanged, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { CURSOR, cursors } from '../collections.ts'

export const backlogCursorSet = defineTool({
  name: 'backlog_cursor_set',
  description: 'Set how many entries of the backlog file are consumed; it may also go back. Returns {consumed, updatedAt}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'PUT /api/backlog/cursor',
  input: Type.Object(
    {
      consumed: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Index of the first entry that is not consumed, from 0.',
      }),
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object({ consumed: Type.Integer(), updatedAt: Type.String() }, closed),
  uses: { cursors, atomically },
  handle: ({ consumed, ifUpdatedAt: expected }, { cursors, atomically }) =>
    atomically(async (tx) => {
      const position = { consumed, updatedAt: tx.now.toISOString() }
      if (expected !== undefined) checkUnchanged(await cursors.in(tx).get(CURSOR), expected)
      const { updatedAt } = await cursors.in(tx).upsert({ cursor: CURSOR, ...position }, { set: position })
      return { consumed, updatedAt }
    }),
})
