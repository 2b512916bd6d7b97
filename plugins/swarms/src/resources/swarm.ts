import { resourceOf } from '@gateway/sdk'
import { SWARM_URI } from '../rules/swarm-uri.ts'
import { swarmGet } from '../tools/swarm-get.ts'

export const swarmResource = resourceOf(swarmGet, {
  uri: SWARM_URI,
  name: 'swarm',
  description: 'A swarm and how far each child is. Subscribers hear of its changes and of those of its children.',
})
