import { closed, defineCollection, Type } from '@gateway/sdk'

/**
 * What the folders hold, for all tenants: of each definition its short form and its whole, apart, so that a list reads no instructions.
 * `revision` is one record more: what of the folders stands here.
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
