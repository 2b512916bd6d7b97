import { contribute, statusFacts, Type } from '@gateway/sdk'
import { library } from '../operations/library.ts'

const count = Type.Integer({ minimum: 0 })

export const counts = contribute(statusFacts, {
  uses: { library },
  create: ({ library }, ctx) => ({
    schema: { agents: count, skills: count, hooks: count, rules: count },
    unread: { agents: 0, skills: 0, hooks: 0, rules: 0 },
    async read() {
      const { agent, skill, hook, rule } = (await library.current(ctx.log)).set
      return { agents: agent.size, skills: skill.size, hooks: hook.size, rules: rule.size }
    },
  }),
})
