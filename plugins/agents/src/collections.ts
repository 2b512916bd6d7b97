import { closed, defineCollection, Type } from '@gateway/sdk'

/**
 * Content of the folders, for all tenants. Short form and whole are separate records, so that a list reads no instructions.
 * `revision` is one more record: the revision of the folders that is stored.
 */
export const definitions = defineCollection('agents.definitions', {
  schema: Type.Object(
    {
      /** `<kind>/<name>`, and `<kind>.whole/<name>`. */
      definitionId: Type.String(),
      kind: Type.String(),
      name: Type.String(),
      /** The definition, or its short form, as JSON. */
      json: Type.String(),
    },
    closed,
  ),
  key: 'definitionId',
  indexes: [{ keys: { kind: 1, name: 1 } }],
})
