import { entitlements, NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineTool, LARGE_BODY_BYTES, optional, Type } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { submit, submitUses } from '../operations/submit.ts'
import { showVersion } from '../rules/show.ts'
import { shownVersion } from '../schema.ts'

export const marketplacePublish = defineTool({
  name: 'marketplace_publish',
  description: 'Submit a version of an agent or skill to the marketplace for review. Returns the version or why it was rejected.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/marketplace/publish',
  status: 201,
  bodyLimitBytes: LARGE_BODY_BYTES,
  input: Type.Object(
    {
      manifest: Type.Record(Type.String(), Type.Unknown(), {
        description:
          '{slug, kind: agent or skill, version: X.Y.Z, title, description, category?, tools: names of tools it works with, entry?, price?, manifestHash: SHA-256 of artifactContent in hex}.',
      }),
      artifactContent: Type.String({ minLength: 1, description: 'Text of the agent or skill.' }),
    },
    closed,
  ),
  output: Type.Object({ version: shownVersion }, closed),
  errors: [MarketplaceRejected, NotEntitled],
  uses: { ...submitUses, plan: optional(entitlements) },
  async handle(submission, { plan, ...refs }, ctx) {
    await plan?.require('marketplacePublish')
    return { version: showVersion(await submit(submission, refs, ctx)) }
  },
})
