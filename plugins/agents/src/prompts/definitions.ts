import { definePrompt, NotFound, type Resolved } from '@gateway/sdk'
import { registry } from '../api.ts'

const uses = { registry }
type Refs = Resolved<typeof uses>

const TASK = { name: 'task', description: 'The work to do; without it the conversation says.' }
const beginning = (names: readonly { name: string }[], typed: string): string[] =>
  names.map(({ name }) => name).filter((name) => name.startsWith(typed))

const withTask = (text: string, task: string | undefined): string => (task ? `${text.trimEnd()}\n\n# Task\n\n${task}` : text)

/** The playbook of a skill. Each skill is listed as a prompt of its own as well: see `contributions/prompt-variants.ts`. */
export const skillPrompt = definePrompt({
  name: 'skill',
  description: 'Work by the playbook of a skill.',
  arguments: [{ name: 'name', description: 'Name of the skill.', required: true }, TASK],
  uses,
  async render({ name = '', task }, { registry }: Refs) {
    const skill = await registry.skill(name)
    if (!skill) throw NotFound({ what: 'skill', id: name })
    return [{ role: 'user', text: withTask(skill.playbook, task) }]
  },
  complete: { name: async (typed, { registry }: Refs) => beginning((await registry.skills()).items, typed) },
})

/** The instructions of an agent, for a conversation that takes its part. */
export const agentPrompt = definePrompt({
  name: 'agent',
  description: 'Work by the instructions of an agent.',
  arguments: [{ name: 'name', description: 'Name of the agent.', required: true }, TASK],
  uses,
  async render({ name = '', task }, { registry }: Refs) {
    const agent = await registry.agent(name)
    if (!agent) throw NotFound({ what: 'agent', id: name })
    return [{ role: 'user', text: withTask(agent.instructions, task) }]
  },
  complete: { name: async (typed, { registry }: Refs) => beginning((await registry.agents()).items, typed) },
})
