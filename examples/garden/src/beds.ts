import { closed, defineCollection, Type } from '@gateway/sdk'

export const Bed = Type.Object(
  {
    bedId: Type.String(),
    plant: Type.String(),
    squareMetres: Type.Number(),
    wateredAt: Type.String({ description: 'ISO 8601; at first the time it was dug.' }),
    waterings: Type.Array(Type.Object({ at: Type.String(), by: Type.String() }, closed)),
  },
  closed,
)
export const beds = defineCollection('garden.beds', { schema: Bed, key: 'bedId', indexes: [{ keys: { wateredAt: 1 } }] })
