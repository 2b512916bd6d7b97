import { closed, defineTool, Type } from '@gateway/sdk'
import { takeBranch } from '../operations/branches.ts'
import { brainUses } from '../operations/refs.ts'
import { checkName } from '../rules/names.ts'
import { slugSchema } from '../schema.ts'

export const brainBranch = defineTool({
  name: 'brain_branch',
  description:
    'Begin a working branch of the brain, idea/<slug> or session/<slug>, from main, or go on with it when it is there; it becomes the current branch. Returns {branch, created, head}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  input: Type.Object(
    { slug: Type.Optional({ ...slugSchema, default: 'cli' }), kind: Type.Optional(Type.Enum(['idea', 'session'], { default: 'idea' })) },
    closed,
  ),
  output: Type.Object({ branch: Type.String(), created: Type.Boolean(), head: Type.String() }, closed),
  uses: brainUses,
  check({ slug }) {
    if (slug !== undefined) checkName('slug', slug)
  },
  async handle({ slug = 'cli', kind = 'idea' }, refs, ctx) {
    return takeBranch(refs, ctx, `${kind}/${slug}`)
  },
})
