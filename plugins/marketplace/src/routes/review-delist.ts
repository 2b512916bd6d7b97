import { defineRoute } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { review, reviewUses } from '../operations/review.ts'
import { showVersion } from '../rules/show.ts'
import { OneDecision, operatorRoute, VersionResult } from '../schema.ts'

export const reviewDelist = defineRoute({
  ...operatorRoute,
  name: 'marketplace.review-delist',
  description:
    'Take a version out of the marketplace for good, or reject one that is in review; tenants that have it installed keep it. Returns the version.',
  effect: 'destructive',
  rest: 'POST /api/marketplace/:slug/versions/:version/delist',
  input: OneDecision,
  output: VersionResult,
  errors: [MarketplaceRejected],
  uses: reviewUses,
  handle: async (input, refs, ctx) => ({ version: showVersion(await review(input, 'delist', refs, ctx)) }),
})
