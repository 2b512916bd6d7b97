import { definePrompt, NotFound, type Resolved } from '@gateway/sdk'
import { registry } from '../api.ts'
import { beginning, TASK, withTask } from '../rules/prompt-text.ts'

const uses = { registry }
type Refs = Resolved<typeof uses>

/** The playbook of a skill. Each skill is listed as a prompt of its own as well: see `contributions/prompt-variants.ts`. */
export const skillPrompt = definePrompt({
  name: 'skill',
  description: 'Work according to the playbook of a skill.',
  arguments: [{ name: 'name', description: 'Name of the skill.', required: true }, TASK],
  uses,
  async render({ name = '', task }, { registry }: Refs) {
    const skill = await registry.skill(name)
    if (!skill) throw NotFound({ what: 'skill', id: name })
    return [{ role: 'user', text: withTask(skill.playbook, task) }]
  },
  complete: { name: async (typed, { registry }: Refs) => beginning((await registry.skills()).items, typed) },
})
