import { sessionCounts } from '@gateway/plugin-sessions/api'
import { closed, defineRoute, optional, Type } from '@gateway/sdk'
import { channelAdapters } from '../api.ts'
import { Channel } from '../schema.ts'

export const channelsList = defineRoute({
  name: 'channels.list',
  description: 'List the channels through which people and programs reach agents, and the number of open sessions with agents.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/channels',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), activeSessions: Type.Integer(), channels: Type.Array(Channel) }, closed),
  uses: { adapters: channelAdapters, sessions: optional(sessionCounts) },
  async handle(_input, { adapters, sessions }) {
    const [lists, counts] = await Promise.all([Promise.all(adapters.map((one) => one.list())), sessions?.read()])
    const channels = lists.flat()
    return { count: channels.length, activeSessions: counts?.active ?? 0, channels }
  },
})
