import { resourceOf } from '@gateway/sdk'
import { agentsGet } from '../routes/get.ts'

export const agentResource = resourceOf(agentsGet, {
  uri: 'agent://{name}',
  name: 'agent',
  description: 'An agent with its instructions: of the gateway, or installed from the marketplace.',
})
