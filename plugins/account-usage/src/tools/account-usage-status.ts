import { closed, defineTool, Type } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'
import { AccountStatus, account } from '../schema.ts'

const share = (of: string, standard: number) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: standard, description: `Share of the ${of} window to keep in reserve.` }))

export const accountUsageStatus = defineTool({
  name: 'account_usage_status',
  description: 'Show how much of its five-hour and weekly quota each model account has left. Returns the accounts with advice.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    { account: Type.Optional(account), reserveWeekly: share('weekly', 0.33), reserveFiveHour: share('5-hour', 0.4) },
    closed,
  ),
  output: Type.Object({ accounts: Type.Array(AccountStatus) }, closed),
  uses: statusUses,
  async handle({ account, reserveWeekly = 0.33, reserveFiveHour = 0.4 }, refs, ctx) {
    return { accounts: [...(await status(refs, account, { reserveWeekly, reserveFiveHour }, ctx))] }
  },
})
