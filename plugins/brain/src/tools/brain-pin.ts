import { closed, defineTool, Type } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { setPinned } from '../operations/pin.ts'
import { brainUses } from '../operations/refs.ts'
import { AtomView } from '../schema.ts'

export const brainPin = defineTool({
  name: 'brain_pin',
  description:
    'Mark an atom as never to be dropped: a marker is committed to main. An atom that is pinned stays so. Returns {atom, changed, commit?}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  subject: ['ref'],
  input: Type.Object({ ref: Type.String({ minLength: 1, maxLength: 600, description: 'sha8 or path of the atom.' }) }, closed),
  output: Type.Object({ atom: AtomView, changed: Type.Boolean(), commit: Type.Optional(Type.String()) }, closed),
  errors: [BrainQuotaExceeded],
  uses: brainUses,
  handle: ({ ref }, refs, ctx) => setPinned(refs, ctx, ref, true),
})
