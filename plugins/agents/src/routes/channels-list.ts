import { closed, defineRoute, Type } from '@gateway/sdk'
import { channelAdapters } from '../api.ts'
import { Channel } from '../schema.ts'

export const channelsList = defineRoute({
  name: 'channels.list',
  description: 'List the ways by which people and programs reach agents, and how many sessions are open over them.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/channels',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), activeSessions: Type.Integer(), channels: Type.Array(Channel) }, closed),
  uses: { adapters: channelAdapters },
  async handle(_input, { adapters }) {
    const channels = (await Promise.all(adapters.map((one) => one.list()))).flat()
    const activeSessions = channels.reduce((sum, one) => sum + (one.activeSessions ?? 0), 0)
    return { count: channels.length, activeSessions, channels }
  },
})
