import { BadRequest, closed, defineTool, gatewayInfo, LARGE_BODY_BYTES, Type } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { brainUses } from '../operations/refs.ts'
import { putStash } from '../operations/stash.ts'
import { checkBranch, checkName, checkRepo } from '../rules/names.ts'
import { bytesInAnswer, stashBytes } from '../rules/stash-bytes.ts'
import { contentSchema, namespaceSchema, slugSchema } from '../schema.ts'

const stashBranch = Type.Optional(
  Type.String({ minLength: 1, maxLength: 90, description: 'Branch: main, session/… or idea/…. Default: main.' }),
)

export const brainStash = defineTool({
  name: 'brain_stash',
  description:
    'Freeze a context for later: it is committed to main, whatever the current branch, or to `branch`, until brain_pop takes it. Returns {slug, path, commit, at}.',
  capability: 'work',
  effect: 'write',
  bodyLimitBytes: LARGE_BODY_BYTES,
  input: Type.Object({ slug: slugSchema, content: contentSchema, repo: Type.Optional(namespaceSchema), branch: stashBranch }, closed),
  output: Type.Object({ slug: Type.String(), path: Type.String(), commit: Type.String(), at: Type.String() }, closed),
  errors: [BrainQuotaExceeded],
  uses: { ...brainUses, gateway: gatewayInfo },
  check({ slug, branch }) {
    checkName('slug', slug)
    if (branch !== undefined) checkBranch('branch', branch)
  },
  async handle({ slug, content, repo: asked, branch }, { gateway, ...refs }, ctx) {
    const [bytes, most] = [bytesInAnswer(content), stashBytes(gateway)]
    if (bytes > most)
      throw BadRequest({
        field: 'content',
        message: `\`content\` must have at most ${most} bytes as JSON, so that brain_pop can return it; got ${bytes}.`,
      })
    const repo = await namespaceOf(refs, asked, { stores: true })
    if (repo !== undefined) checkRepo('repo', repo)
    return { slug, ...(await putStash(refs, ctx, { slug, content, repo, branch })) }
  },
})
