import { closed, defineTool, Type } from '@gateway/sdk'
import { CURSOR, cursors } from '../collections.ts'

export const backlogCursorGet = defineTool({
  name: 'backlog_cursor_get',
  description: 'Read how many entries of the backlog file are consumed. Returns {consumed, updatedAt?}: 0 when it was never set.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/backlog/cursor',
  input: Type.Object({}, closed),
  output: Type.Object({ consumed: Type.Integer(), updatedAt: Type.Optional(Type.String()) }, closed),
  uses: { cursors },
  async handle(_args, { cursors }) {
    const found = await cursors.get(CURSOR)
    return found ? { consumed: found.consumed, updatedAt: found.updatedAt } : { consumed: 0 }
  },
})
