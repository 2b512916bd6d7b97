import { defineRoute } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { review, reviewUses } from '../operations/review.ts'
import { showVersion } from '../rules/show.ts'
import { OneDecision, operatorRoute, VersionResult } from '../schema.ts'

export const reviewSuspend = defineRoute({
  ...operatorRoute,
  name: 'marketplace.review-suspend',
  description:
    'Take a published version out of the marketplace, and out of the registries that have it, until it is published again. Returns the version.',
  effect: 'destructive',
  rest: 'POST /api/marketplace/:slug/versions/:version/suspend',
  input: OneDecision,
  output: VersionResult,
  errors: [MarketplaceRejected],
  uses: reviewUses,
  handle: async (input, refs, ctx) => ({ version: showVersion(await review(input, 'suspend', refs, ctx)) }),
})
