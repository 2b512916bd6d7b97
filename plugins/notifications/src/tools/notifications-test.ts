import { closed, defineTool, NotFound, Type, Unavailable } from '@gateway/sdk'
import { send, sending } from '../operations/send.ts'
import { channelOf, firstChat } from '../rules/channels.ts'
import { results } from '../schema.ts'

export const notificationsTest = defineTool({
  name: 'notifications_test',
  description: 'Send a test notification of level info through a channel, even a disabled one. Returns the outcome.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/notifications/test',
  subject: ['channel'],
  input: Type.Object(
    { channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Default: the first chat channel.' })) },
    closed,
  ),
  output: Type.Object({ results, notificationId: Type.Optional(Type.String()) }, closed),
  uses: sending,
  async handle({ channel }, refs, ctx) {
    const name = channel ?? firstChat(refs.config.channels)
    if (name === undefined) {
      const setting = 'plugins.notifications.channels'
      throw Unavailable({ message: `No chat channel to test: ${setting} sets none that is enabled.`, setting })
    }
    if (!channelOf(refs.config.channels, name)) throw NotFound({ what: 'channel', id: name })
    const note = { level: 'info', title: 'Test', message: 'Notifications arrive here.', source: 'notifications_test' } as const
    return send(refs, { kind: 'test', note, channels: [name], evenDisabled: true }, ctx)
  },
})
