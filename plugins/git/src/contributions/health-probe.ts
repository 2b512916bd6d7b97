import { contribute, healthProbe } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { type GitStatus, git } from '../api.ts'

const MAX_ANSWER_MS = 3_000
const LATE: GitStatus = { available: false, running: true, reason: 'its helper process does not answer' }

/** Reports the helper while it runs. The probe never starts it, because an unused gateway has none. */
export const probe = contribute(healthProbe, {
  uses: { git },
  create: ({ git }) => ({
    name: 'git',
    async check() {
      const { running } = await git.status()
      if (!running) return { status: 'healthy', running }
      const { available, version, reason } = await within(git.status({ probe: true }), MAX_ANSWER_MS, LATE)
      return available ? { status: 'healthy', running, version } : { status: 'degraded', running, error: reason }
    },
  }),
})
