import { resourceOf } from '@gateway/sdk'
import { skillsGet } from '../routes/skills-get.ts'

export const skillResource = resourceOf(skillsGet, {
  uri: 'skill://{name}',
  name: 'skill',
  description: 'A skill with its playbook: of the gateway, or installed from the marketplace.',
})
