import { resourceOf } from '@gateway/sdk'
import { agentsGet } from '../routes/get.ts'

export const agentResource = resourceOf(agentsGet, {
  uri: 'agent://{name}',
  name: 'agent',
  description: 'An agent of the gateway, or one installed from the marketplace, with its instructions.',
})
