import { resourceOf } from '@gateway/sdk'
import { agentsGet } from '../routes/get.ts'
import { skillsGet } from '../routes/skills-get.ts'

export const agentResource = resourceOf(agentsGet, {
  uri: 'agent://{name}',
  name: 'agent',
  description: 'An agent with its instructions: of the gateway, or installed from the marketplace.',
})
export const skillResource = resourceOf(skillsGet, {
  uri: 'skill://{name}',
  name: 'skill',
  description: 'A skill with its playbook: of the gateway, or installed from the marketplace.',
})
