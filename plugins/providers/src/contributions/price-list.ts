import { contribute } from '@gateway/sdk'
import { priceList } from '../api.ts'
import { pool } from '../operations/provider-pool.ts'
import { costUsd } from '../rules/usage.ts'

/** Prices of the settings; a model without a named provider has the price of the first provider of the chain that has one. */
export const configuredPrices = contribute(priceList, {
  uses: { pool },
  create: ({ pool }) => ({
    costUsd({ model, provider, inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 }) {
      const price = pool.priceOf(model, provider)
      const all = inputTokens + cacheReadTokens + cacheWriteTokens
      return price && costUsd({ inputTokens: all, outputTokens, cacheReadTokens, cacheWriteTokens }, price)
    },
  }),
})
