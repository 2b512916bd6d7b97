import { bootBundle, contribute } from '@gateway/sdk'
import { boot } from '../operations/boot.ts'
import { bootUses } from '../operations/boot-uses.ts'
import { handoffRecall } from '../operations/snippets.ts'

/**
 * Sends an MCP client of the operator the bundle of the master repo when it connects. It is not counted, because it was not
 * requested.
 */
export const connectBundle = contribute(bootBundle, {
  uses: bootUses,
  create: (uses, ctx) => ({
    async render() {
      const { connectBudget } = uses.config
      if (connectBudget === 0) return ''
      const recalls = [handoffRecall(uses.states), ...uses.recalls]
      const { bundle } = await boot({ budget: connectBudget, crossProject: false }, { ...uses, recalls }, ctx)
      return bundle
    },
  }),
})
