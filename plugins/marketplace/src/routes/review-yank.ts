import { defineRoute } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { review, reviewUses } from '../operations/review.ts'
import { showVersion } from '../rules/show.ts'
import { OneDecision, operatorRoute, VersionResult } from '../schema.ts'

export const reviewYank = defineRoute({
  ...operatorRoute,
  name: 'marketplace.review-yank',
  description: 'Block further installs of a published version; tenants that have it installed keep it. Returns the version.',
  effect: 'destructive',
  rest: 'POST /api/marketplace/:slug/versions/:version/yank',
  input: OneDecision,
  output: VersionResult,
  errors: [MarketplaceRejected],
  uses: reviewUses,
  handle: async (input, refs, ctx) => ({ version: showVersion(await review(input, 'yank', refs, ctx)) }),
})
