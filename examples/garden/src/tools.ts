import { closed, defined, defineTool, NotFound, Type } from '@gateway/sdk'
import { Bed, beds } from './beds.ts'

const bedId = Type.String({ maxLength: 100, description: 'Id of the bed (bed-…).' })

export const list = defineTool({
  name: 'garden_list',
  description: 'List the beds, the driest first, with a cursor when there are more.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous page.' })) }, closed),
  output: Type.Object({ beds: Type.Array(Bed), nextCursor: Type.Optional(Type.String()) }, closed),
  uses: { beds },
  async handle({ cursor }, { beds }) {
    const { items, nextCursor } = await beds.find({ sort: { wateredAt: 1 }, ...defined({ cursor }) })
    return { beds: [...items], ...defined({ nextCursor }) }
  },
})

export const look = defineTool({
  name: 'garden_look',
  description: 'Look at one bed. Returns it with all its waterings.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ bedId }, closed),
  output: Type.Object({ bed: Bed }, closed),
  uses: { beds },
  async handle({ bedId }, { beds }) {
    const bed = await beds.get(bedId)
    if (!bed) throw NotFound({ what: 'bed', id: bedId })
    return { bed }
  },
})

export const dig = defineTool({
  name: 'garden_dig',
  description: 'Dig a new bed. Returns it with its id.',
  capability: 'work',
  effect: 'write',
  input: Type.Object(
    {
      plant: Type.String({ minLength: 1, maxLength: 100 }),
      squareMetres: Type.Optional(Type.Number({ minimum: 0.1, default: 1, description: 'Size in square metres.' })),
    },
    closed,
  ),
  output: Type.Object({ bed: Bed }, closed),
  uses: { beds },
  async handle({ plant, squareMetres = 1 }, { beds }, ctx) {
    const bed = await beds.insert({ bedId: ctx.newId('bed-'), plant, squareMetres, wateredAt: ctx.now().toISOString(), waterings: [] })
    return { bed }
  },
})

export const water = defineTool({
  name: 'garden_water',
  description: 'Water a bed. Returns it.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ bedId }, closed),
  output: Type.Object({ bed: Bed }, closed),
  uses: { beds },
  async handle({ bedId }, { beds }, ctx) {
    const at = ctx.now().toISOString()
    const bed = await beds.updateOne(bedId, { set: { wateredAt: at }, push: { waterings: { at, by: ctx.principal.id } } })
    if (!bed) throw NotFound({ what: 'bed', id: bedId })
    return { bed }
  },
})

export const clear = defineTool({
  name: 'garden_clear',
  description: 'Remove a bed for good. Returns the removed bed.',
  capability: 'work',
  effect: 'destructive',
  input: Type.Object({ bedId }, closed),
  output: Type.Object({ bed: Bed }, closed),
  uses: { beds },
  async handle({ bedId }, { beds }) {
    const bed = await beds.deleteOne(bedId)
    if (!bed) throw NotFound({ what: 'bed', id: bedId })
    return { bed }
  },
})
