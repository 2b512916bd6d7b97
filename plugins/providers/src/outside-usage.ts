import { closed, defineContribution, type Infer, type Transaction, Type } from '@gateway/sdk'

const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const tokens = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description }))

/** Usage of a model that was called past the gateway, as its user reports it. */
export const OutsideUsage = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200 }),
    provider: name('Who served it. Default: external.'),
    inputTokens: tokens('Without those of caches.'),
    outputTokens: tokens('Reasoning included.'),
    cacheReadTokens: tokens('Read from a cache.'),
    cacheWriteTokens: tokens('Written to a cache.'),
    usd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'What it cost. Default: tokens times the price of the model.' }),
    ),
    taskId: name('The task it was for.'),
    agent: name('The agent that called.'),
    account: name('The account of the vendor that paid.'),
  },
  closed,
)
export type OutsideUsage = Infer<typeof OutsideUsage>

/** Contributed by the family that keeps budgets. */
export interface UsageLedger {
  /** Counts the usage towards the budgets of the caller's tenant, in the caller's transaction. BAD_REQUEST if there is nothing to count. */
  add(usage: OutsideUsage, tx: Transaction): Promise<void>
}
export const usageLedger = defineContribution<UsageLedger>('providers.usage-ledger')

/** The price of tokens, as the configuration and the table of public prices have it. */
export interface PriceList {
  /** Undefined for a model without a price. */
  costUsd(usage: OutsideUsage): number | undefined
}
export const priceList = defineContribution<PriceList>('providers.price-list')
