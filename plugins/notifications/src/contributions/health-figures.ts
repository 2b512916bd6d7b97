import { healthFigures } from '@gateway/plugin-health/api'
import { contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { enabledChannels } from '../rules/channels.ts'

export const channelFigures = contribute(healthFigures, {
  uses: { config },
  create: ({ config: { channels } }) => ({
    name: 'channels',
    figures: async () => ({ configured: Object.keys(channels).length, enabled: enabledChannels(channels).length }),
  }),
})
