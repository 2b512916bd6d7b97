import { contribute, statusFacts } from '@gateway/sdk'
import { library } from '../operations/library.ts'

export const counts = contribute(statusFacts, {
  uses: { library },
  create:
    ({ library }, ctx) =>
    async () => {
      const { agent, skill, hook, rule } = (await library.current(ctx.log)).set
      return { agents: agent.size, skills: skill.size, hooks: hook.size, rules: rule.size }
    },
})
