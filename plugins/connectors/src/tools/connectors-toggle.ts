import { checkUnchanged, closed, defineTool, ifUpdatedAt, NotFound, Type } from '@gateway/sdk'
import { shown } from '../collections.ts'
import { catalogueUses, find, switched } from '../operations/catalogue.ts'
import { enabled, key, written } from '../schema.ts'

export const connectorsToggle = defineTool({
  name: 'connectors_toggle',
  description: 'Switch a connector on or off, curated or your own. Returns {connector}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/connectors/:key/toggle',
  input: Type.Object({ key, enabled, ifUpdatedAt }, closed),
  output: written,
  uses: catalogueUses,
  async handle({ key, enabled, ifUpdatedAt: expected }, refs) {
    return refs.atomically(async (tx) => {
      const found = await find(refs, key, tx)
      if (found) checkUnchanged(found, expected)
      const connector = found && (await switched(refs, found, enabled, tx))
      if (!connector) throw NotFound({ what: 'connector', id: key })
      return { connector: shown(connector) }
    })
  },
})
