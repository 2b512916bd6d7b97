import { closed, defineTool, Type } from '@gateway/sdk'
import { catalogueUses, curatedSet } from '../operations/catalogue.ts'
import { fresh, refreshed } from '../rules/curated.ts'

export const connectorsSeedDefaults = defineTool({
  name: 'connectors_seed_defaults',
  description:
    'Add the curated connectors and update existing ones; whether one is enabled stays as it is. Returns the counts {seeded, present}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/connectors/seed',
  input: Type.Object({}, closed),
  output: Type.Object(
    { seeded: Type.Integer({ description: 'New ones.' }), present: Type.Integer({ description: 'Existed before.' }) },
    closed,
  ),
  uses: catalogueUses,
  async handle(_args, { connectors, atomically, ...refs }) {
    return atomically(async (tx) => {
      const at = tx.now.toISOString()
      const counts = { seeded: 0, present: 0 }
      for (const connector of curatedSet(refs).values()) {
        const found = await connectors.in(tx).get(connector.key)
        counts[found ? 'present' : 'seeded']++
        if (!found) await connectors.in(tx).insert(fresh(connector, at))
        // A custom connector that had the key before it became a curated one belongs to its tenant.
        else await connectors.in(tx).updateOne(connector.key, refreshed(connector, at), { source: 'bundled' })
      }
      return counts
    })
  },
})
