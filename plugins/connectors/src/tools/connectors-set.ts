import { BadRequest, checkUnchanged, closed, defineTool, ifUpdatedAt, risen, Type } from '@gateway/sdk'
import { shown, stored } from '../collections.ts'
import { catalogueUses, find, replace, switched } from '../operations/catalogue.ts'
import { checkSaid, revised } from '../rules/connector.ts'
import { key, settable, written } from '../schema.ts'

export const connectorsSet = defineTool({
  name: 'connectors_set',
  description:
    'Create a connector of your own, or change it: omitted fields stay. Of a curated connector only enabled can be set. Returns {connector}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'PUT /api/connectors/:key',
  input: Type.Object({ key, ...settable, ifUpdatedAt }, closed),
  output: written,
  uses: catalogueUses,
  check: checkSaid,
  async handle({ key, ifUpdatedAt: expected, ...said }, refs) {
    return refs.atomically(async (tx) => {
      const found = await find(refs, key, tx)
      checkUnchanged(found, expected)
      if (found?.source !== 'bundled') {
        const at = tx.now.toISOString()
        const draft = revised(key, found && shown(found), said)
        const connector = stored({ ...draft, createdAt: found?.createdAt ?? at, updatedAt: risen(found?.updatedAt, at) })
        return { connector: shown(await replace(refs, connector, tx)) }
      }
      const other = Object.keys(said).find((field) => field !== 'enabled')
      if (other !== undefined) {
        throw BadRequest({
          field: other,
          message: `\`${other}\` of the curated connector ${key} cannot be changed, only \`enabled\` can: create one of your own under another key.`,
        })
      }
      const connector = said.enabled === undefined ? found : await switched(refs, found, said.enabled, tx)
      return { connector: shown(connector ?? found) }
    })
  },
})
