import { closed, defineTool, Type } from '@gateway/sdk'
import { checkoutBranch } from '../operations/branches.ts'
import { brainUses } from '../operations/refs.ts'
import { checkBranch } from '../rules/names.ts'

export const brainCheckout = defineTool({
  name: 'brain_checkout',
  description:
    'Make another branch your current one: main, or an open session/… or idea/… branch. Commits and reads of your MCP session, or else of your key, use it from now on. Returns {branch, head}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  subject: ['ref'],
  input: Type.Object({ ref: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
  output: Type.Object({ branch: Type.String(), head: Type.String() }, closed),
  uses: brainUses,
  check: ({ ref }) => checkBranch('ref', ref),
  handle: ({ ref }, refs, ctx) => checkoutBranch(refs, ctx, ref),
})
