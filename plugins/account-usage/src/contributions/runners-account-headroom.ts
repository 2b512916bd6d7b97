import { accountHeadroom } from '@gateway/plugin-runners/api'
import { type CallContext, contribute, isToolError, NotFound, type Resolved } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'
import type { AccountStatus } from '../schema.ts'

const NO_RESERVE = { reserveWeekly: 0, reserveFiveHour: 0 }

/** No slot is given to a session whose account has used up a window of its quota. */
export const headroomOfAccounts = contribute(accountHeadroom, {
  uses: statusUses,
  create: (refs, ctx) => ({
    async exhausted(account) {
      const found = await statusOf(refs, account, ctx)
      if (found?.fit !== 'exhausted') return undefined
      const used = [found.fiveHour, found.weekly].filter(({ usedPct }) => usedPct !== null && usedPct >= 100)
      const until = used
        .flatMap(({ resetsAt }) => resetsAt ?? [])
        .sort()
        .at(-1)
      const wait = until === undefined ? 'until a reading shows room' : `until ${until}`
      const spare = found.assets.some(({ kind }) => kind === 'full_reset') ? ' It has a full reset in hand.' : ''
      const reason = `The account ${account} has used up its quota ${wait}: use another account, or ask again then.${spare}`
      return { reason, ...(until !== undefined && { until }) }
    },
  }),
})

/** Undefined for an account that nothing was recorded of. */
async function statusOf(refs: Resolved<typeof statusUses>, account: string, ctx: CallContext): Promise<AccountStatus | undefined> {
  try {
    return (await status(refs, account, NO_RESERVE, ctx))[0]
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return undefined
    throw error
  }
}
