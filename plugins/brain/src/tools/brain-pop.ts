import { closed, defineTool, gatewayInfo, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { poppedContent, popStash } from '../operations/stash.ts'
import { checkName } from '../rules/names.ts'
import { stashBytes } from '../rules/stash-bytes.ts'
import { slugSchema } from '../schema.ts'

export const brainPop = defineTool({
  name: 'brain_pop',
  description:
    'Take the newest stash of a slug: it is returned and removed from main by a commit, so that nobody takes it twice. Returns {slug, path, at, repo?, content, commit}.',
  capability: 'work',
  effect: 'destructive',
  input: Type.Object({ slug: slugSchema }, closed),
  output: Type.Object(
    {
      slug: Type.String(),
      path: Type.String(),
      at: Type.String(),
      repo: Type.Optional(Type.String()),
      content: Type.String(),
      commit: Type.String(),
    },
    closed,
  ),
  uses: { ...brainUses, gateway: gatewayInfo },
  check: ({ slug }) => checkName('slug', slug),
  async handle({ slug }, { gateway, ...refs }, ctx) {
    return popStash(refs, ctx, slug, stashBytes(gateway))
  },
  async completeReplay(kept, { gateway: _gateway, ...refs }, ctx) {
    const content = await poppedContent(refs, ctx, kept)
    return content === undefined ? undefined : { ...kept, content }
  },
})
