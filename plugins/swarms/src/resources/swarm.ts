import { resourceOf } from '@gateway/sdk'
import { SWARM_URI } from '../rules/swarm-uri.ts'
import { swarmGet } from '../tools/swarm-get.ts'

export const swarmResource = resourceOf(swarmGet, {
  uri: SWARM_URI,
  name: 'swarm',
  description: 'A swarm and the progress of its children. Subscribers are notified of its changes and those of its children.',
})
