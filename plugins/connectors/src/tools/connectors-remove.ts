import { closed, defineTool, Type } from '@gateway/sdk'
import { catalogueUses, find, switched } from '../operations/catalogue.ts'
import { key } from '../schema.ts'

const OUTCOMES = ['deleted', 'disabled', 'absent'] as const
type Outcome = (typeof OUTCOMES)[number]

export const connectorsRemove = defineTool({
  name: 'connectors_remove',
  description:
    'Delete a connector of your own; a curated one is disabled instead. Returns {key, outcome}: deleted, disabled, or absent if it did not exist.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/connectors/:key',
  input: Type.Object({ key }, closed),
  output: Type.Object({ key: Type.String(), outcome: Type.Enum(OUTCOMES) }, closed),
  uses: catalogueUses,
  async handle({ key }, refs) {
    const outcome = await refs.atomically(async (tx): Promise<Outcome> => {
      const found = await find(refs, key, tx)
      if (!found) return 'absent'
      if (found.source === 'bundled') {
        await switched(refs, found, false, tx)
        return 'disabled'
      }
      await refs.connectors.in(tx).deleteOne(key)
      return 'deleted'
    })
    return { key, outcome }
  },
})
