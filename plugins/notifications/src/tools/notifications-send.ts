import { closed, defineTool, LOCAL_TENANT, nonBlankText, Type } from '@gateway/sdk'
import { send, sending } from '../operations/send.ts'
import { enabledChannels } from '../rules/channels.ts'
import { LEVELS, results } from '../schema.ts'

export const notificationsSend = defineTool({
  name: 'notifications_send',
  description: 'Notify people through the chat and webhook channels. A channel that fails is no error. Returns the outcome per channel.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/notifications',
  repairsText: true,
  input: Type.Object(
    {
      message: nonBlankText(8_192, { description: 'Secrets in it are replaced.' }),
      channels: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 32,
          description: 'Names of channels. Default: all enabled ones.',
        }),
      ),
      chatId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Overrides the chat of the chat channel. Only for the operator’s own tenant.',
        }),
      ),
      level: Type.Optional(Type.Enum(LEVELS, { default: 'info' })),
      title: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
      source: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Sender, shown with the message.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      results,
      notificationId: Type.Optional(Type.String({ description: 'Id of the entry in the history; absent when it could not be stored.' })),
      reason: Type.Optional(Type.String({ description: 'Reason there was no channel to send it to.' })),
    },
    closed,
  ),
  uses: sending,
  async handle({ message, channels, chatId, level = 'info', title, source }, refs, ctx) {
    // Clients that fill in every argument send an empty list.
    const names = channels?.length ? channels : enabledChannels(refs.config.channels)
    const note = { message, level, title, source }
    if (chatId !== undefined && ctx.tenantId !== LOCAL_TENANT) {
      const error = 'chatId is for the operator’s own tenant: leave it out to write to the channel’s chat.'
      return { results: names.map((channel) => ({ channel, status: 'failed' as const, error })) }
    }
    const sent = await send(refs, { kind: 'message', note, channels: names, chatId }, ctx)
    return names.length > 0 ? sent : { ...sent, reason: 'No channel is enabled: plugins.notifications.channels sets them.' }
  },
})
