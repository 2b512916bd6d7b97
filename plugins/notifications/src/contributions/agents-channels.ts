import { channelAdapters } from '@gateway/plugin-agents/api'
import { contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { chatChannels } from '../rules/channels.ts'

/** The operator's chats, by name only. */
export const chats = contribute(channelAdapters, {
  uses: { config },
  create: ({ config: { channels } }) => ({
    list: async () =>
      chatChannels(channels).map(({ name, enabled }) => ({
        name,
        type: 'chat_channel' as const,
        enabled,
        description: 'A chat that receives notifications.',
      })),
  }),
})
