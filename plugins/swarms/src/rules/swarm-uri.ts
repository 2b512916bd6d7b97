import { resourceUri } from '@gateway/sdk'

export const SWARM_URI = 'swarm://{swarmId}'
export const swarmUri = (swarmId: string): string => resourceUri(SWARM_URI, { swarmId })
