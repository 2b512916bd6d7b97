import { closed, defineRoute, NotFound, Type, truncated } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { threadOf } from '../operations/thread.ts'
import { messageSchema } from '../schema.ts'

export const mailThread = defineRoute({
  name: 'mail.thread',
  description: 'Read the conversation that a message belongs to. Returns its messages, oldest first, at most 200. Reading acks nothing.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/mail/:id/thread',
  input: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, description: 'messageId of any of its messages.' }) }, closed),
  output: Type.Object({ count: Type.Integer(), messages: Type.Array(messageSchema), truncated }, closed),
  uses: { messages },
  async handle({ id }, { messages }) {
    const message = await messages.get(id)
    if (!message) throw NotFound({ what: 'message', id })
    const thread = await threadOf(messages, message)
    return { count: thread.messages.length, ...thread }
  },
})
