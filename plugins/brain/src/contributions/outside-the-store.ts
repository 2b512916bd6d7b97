import { git } from '@gateway/plugin-git/api'
import { contribute, outsideTheStore } from '@gateway/sdk'
import { lanes } from '../services/lanes.ts'

/** A tenant's brain is a separate repository outside the store; it is removed when no change of it is in progress. */
export const repositoryOfTenant = contribute(outsideTheStore, {
  uses: { git, lanes },
  create: ({ git, lanes }) => ({
    name: 'brain.repository',
    count: async (tenantId) => ((await git.brain(tenantId).exists()) ? 1 : 0),
    remove: (tenantId) => lanes.run(tenantId, () => git.brain(tenantId).remove()),
  }),
})
