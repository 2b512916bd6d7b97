import { defineRoute } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { review, reviewUses } from '../operations/review.ts'
import { showVersion } from '../rules/show.ts'
import { OneDecision, operatorRoute, VersionResult } from '../schema.ts'

export const reviewPublish = defineRoute({
  ...operatorRoute,
  name: 'marketplace.review-publish',
  description: 'Publish a version that is in review, or end its suspension. Returns the version.',
  effect: 'write',
  rest: 'POST /api/marketplace/:slug/versions/:version/publish',
  input: OneDecision,
  output: VersionResult,
  errors: [MarketplaceRejected],
  uses: reviewUses,
  handle: async (input, refs, ctx) => ({ version: showVersion(await review(input, 'publish', refs, ctx)) }),
})
