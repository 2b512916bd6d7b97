import { type OutsideUsage, priceList } from '@gateway/plugin-providers/api'
import { BadRequest, type CallContext, defined, type Resolved, type Transaction } from '@gateway/sdk'
import { spent } from '../metrics.ts'
import type { SpendRow } from '../schema.ts'
import { scopeOf, scopeUses } from './scope-of.ts'
import { settleUses, writeDown } from './settle.ts'

export const outsideUses = { ...settleUses, ...scopeUses, prices: priceList, spent }
type Refs = Resolved<typeof outsideUses>

const CHANNEL = 'report'

/** Counts usage that the caller reports, in an argument or as all of them, towards every budget that a call of its own would count for. */
export async function addOutside(
  refs: Refs,
  usage: OutsideUsage,
  argument: string | undefined,
  ctx: CallContext,
  tx: Transaction,
): Promise<SpendRow> {
  const { model, provider = 'external', inputTokens = 0, outputTokens = 0, cacheReadTokens, cacheWriteTokens, usd } = usage
  const tokens = inputTokens + outputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0)
  if (usd === undefined && tokens === 0) {
    const field = argument === undefined ? 'usd' : `${argument}.usd`
    throw BadRequest({ field, message: `\`${field}\` or tokens are required: give inputTokens, outputTokens or usd; got none.` })
  }
  const priced = usd ?? refs.prices.map((list) => list.costUsd(usage)).find((cost) => cost !== undefined)
  const { taskId, agent, account } = usage
  const paid = {
    callId: ctx.newId('report-'),
    provider,
    model,
    tier: 'external',
    ...defined({ agent, taskId, account, cacheReadTokens, cacheWriteTokens }),
    channel: CHANNEL,
    member: ctx.principal.id,
    inputTokens: inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens,
    estimated: false,
    priced: priced !== undefined,
    costUsd: priced ?? 0,
    outcome: 'ok',
  } as const
  const scope = { channel: CHANNEL, key: ctx.principal.label, agent, model, ...(await scopeOf(refs, taskId, ctx)) }
  const row = await writeDown(refs, paid, scope, tx)
  refs.spent.add(paid.costUsd, provider)
  return row
}
