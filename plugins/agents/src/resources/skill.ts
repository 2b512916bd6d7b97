import { resourceOf } from '@gateway/sdk'
import { skillsGet } from '../routes/skills-get.ts'

export const skillResource = resourceOf(skillsGet, {
  uri: 'skill://{name}',
  name: 'skill',
  description: 'A skill of the gateway, or one installed from the marketplace, with its playbook.',
})
