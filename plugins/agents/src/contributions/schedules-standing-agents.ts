import { standingAgents } from '@gateway/plugin-schedules/api'
import { contribute } from '@gateway/sdk'
import { library } from '../operations/library.ts'

export const standing = contribute(standingAgents, {
  uses: { library },
  create: ({ library }, ctx) => ({
    async names() {
      const { set } = await library.current(ctx.log)
      return [...set.agent.values()].flatMap(({ name, standing }) => (standing ? [name] : []))
    },
  }),
})
