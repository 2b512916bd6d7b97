import { bootBundle, contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { boot } from '../operations/boot.ts'
import { bootUses } from '../operations/boot-uses.ts'
import { handoffRecall } from '../operations/snippets.ts'

/**
 * Sends an MCP client of the operator the bundle of the master repo when it connects. It is not counted, because it was not
 * requested.
 */
export const connectBundle = contribute(bootBundle, {
  uses: { ...bootUses, config },
  create: ({ config, ...uses }, ctx) => ({
    async render() {
      if (config.connectBudget === 0) return ''
      const recalls = [handoffRecall(uses.states), ...uses.recalls]
      const { bundle } = await boot({ budget: config.connectBudget, crossProject: false }, { ...uses, recalls }, ctx)
      return bundle
    },
  }),
})
