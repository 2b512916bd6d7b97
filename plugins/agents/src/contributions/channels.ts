import { contribute } from '@gateway/sdk'
import { channelAdapters } from '../api.ts'

export const ownChannels = contribute(channelAdapters, {
  create: () => ({
    list: async () => [
      { name: 'mcp', type: 'mcp', enabled: true, description: 'Programs that call tools over MCP.' },
      { name: 'scheduler', type: 'scheduler', enabled: true, description: 'Agents and skills that run on a schedule.' },
    ],
  }),
})
