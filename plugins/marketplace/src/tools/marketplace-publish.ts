import { defineTool, LARGE_BODY_BYTES, Type } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { submit, submitUses } from '../operations/submit.ts'
import { showVersion } from '../rules/show.ts'
import { closed, shownVersion } from '../schema.ts'

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
      artifactContent: Type.String({ minLength: 1, description: 'The text of the agent or skill.' }),
    },
    closed,
  ),
  output: Type.Object({ version: shownVersion }, closed),
  errors: [MarketplaceRejected],
  uses: submitUses,
  handle: async (submission, refs, ctx) => ({ version: showVersion(await submit(submission, refs, ctx)) }),
})
