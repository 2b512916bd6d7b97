import { definePrompt, NotFound, type Resolved } from '@gateway/sdk'
import { registry } from '../api.ts'
import { beginning, TASK, withTask } from '../rules/prompt-text.ts'

const uses = { registry }
type Refs = Resolved<typeof uses>

export const agentPrompt = definePrompt({
  name: 'agent',
  description: 'Work according to the instructions of an agent.',
  arguments: [{ name: 'name', description: 'Name of the agent.', required: true }, TASK],
  uses,
  async render({ name = '', task }, { registry }: Refs) {
    const agent = await registry.agent(name)
    if (!agent) throw NotFound({ what: 'agent', id: name })
    return [{ role: 'user', text: withTask(agent.instructions, task) }]
  },
  complete: { name: async (typed, { registry }: Refs) => beginning((await registry.agents()).items, typed) },
})
