import { closed, defineTool, Type } from '@gateway/sdk'
import { setPinned } from '../operations/pin.ts'
import { brainUses } from '../operations/refs.ts'
import { AtomView } from '../schema.ts'

export const brainUnpin = defineTool({
  name: 'brain_unpin',
  description: 'Take the never-drop marker of an atom from main; an atom without one stays as it is. Returns {atom, changed, commit?}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  subject: ['ref'],
  input: Type.Object({ ref: Type.String({ minLength: 1, maxLength: 600, description: 'sha8 or path of the atom.' }) }, closed),
  output: Type.Object({ atom: AtomView, changed: Type.Boolean(), commit: Type.Optional(Type.String()) }, closed),
  uses: brainUses,
  handle: ({ ref }, refs, ctx) => setPinned(refs, ctx, ref, false),
})
