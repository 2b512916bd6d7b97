import { git } from '@gateway/plugin-git/api'
import { contribute, externalData } from '@gateway/sdk'
import { sequencer } from '../services/sequencer.ts'

/** A tenant's brain is a separate repository outside the store; it is removed when no change of it is in progress. */
export const repositoryOfTenant = contribute(externalData, {
  uses: { git, sequencer },
  create: ({ git, sequencer }) => ({
    name: 'brain.repository',
    count: async (tenantId) => ((await git.brain(tenantId).exists()) ? 1 : 0),
    remove: (tenantId) => sequencer.run(tenantId, () => git.brain(tenantId).remove()),
  }),
})
