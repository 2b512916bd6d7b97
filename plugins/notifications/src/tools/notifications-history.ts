import { cutShort, defineTool, isToolError, LIST_BYTES, Type, truncated, Unavailable } from '@gateway/sdk'
import { history } from '../collections.ts'
import { closed, notificationSchema } from '../schema.ts'

const ROWS = { default: 20, max: 500 }

export const notificationsHistory = defineTool({
  name: 'notifications_history',
  description: 'Show the notifications and alerts sent lately, newest first, with what became of them. Returns the entries.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/notifications',
  input: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({ default: ROWS.default, minimum: 1, description: `At most this many; more than ${ROWS.max} means ${ROWS.max}.` }),
      ),
    },
    closed,
  ),
  output: Type.Object({ notifications: Type.Array(notificationSchema), truncated }, closed),
  uses: { history },
  async handle({ limit = ROWS.default }, { history }) {
    const rows = Math.min(limit, ROWS.max)
    try {
      const page = await history.find({ sort: { notificationId: -1 }, limit: rows, maxBytes: LIST_BYTES })
      return { notifications: [...page.items], ...cutShort(page, rows) }
    } catch (error) {
      // Without the database there is no history, and that is all there is to say of it.
      if (isToolError(error) && error.code === Unavailable.code) return { notifications: [] }
      throw error
    }
  },
})
