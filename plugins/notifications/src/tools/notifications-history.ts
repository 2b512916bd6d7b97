import { closed, cutShort, defineTool, isToolError, LIST_BYTES, rowLimit, Type, truncated, Unavailable } from '@gateway/sdk'
import { history } from '../collections.ts'
import { notificationSchema } from '../schema.ts'

const ROWS = rowLimit(20, 500)

export const notificationsHistory = defineTool({
  name: 'notifications_history',
  description: 'Show the latest notifications and alerts, newest first, with their outcome. Returns the entries.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/notifications',
  input: Type.Object(
    {
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ notifications: Type.Array(notificationSchema), truncated }, closed),
  uses: { history },
  async handle({ limit }, { history }) {
    const rows = ROWS.of(limit)
    try {
      const page = await history.find({ sort: { notificationId: -1 }, limit: rows, maxBytes: LIST_BYTES })
      return { notifications: [...page.items], ...cutShort(page, rows) }
    } catch (error) {
      // Without the database there is no history, and nothing more to say.
      if (isToolError(error) && error.code === Unavailable.code) return { notifications: [] }
      throw error
    }
  },
})
