import { atomically, Conflict, closed, defineCollection, definePlugin, defineTool, NotFound, Type, throughout } from '@gateway/sdk'

const amount = Type.Integer({ minimum: 1, description: 'Number of pieces.' })

const Shelf = Type.Object({ name: Type.String(), pieces: Type.Integer(), hall: Type.String() }, closed)

const shelves = defineCollection('stock.shelves', {
  schema: Shelf,
  key: 'name',
  indexes: [{ keys: { hall: 1, pieces: -1 } }],
})

const put = defineTool({
  name: 'stock_put',
  description: 'Put pieces on a shelf, which is made when it is new. Returns the shelf.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ name: Type.String(), hall: Type.String(), pieces: amount }, closed),
  output: Type.Object({ shelf: Shelf }),
  uses: { shelves },
  handle: async (shelf, { shelves }) => ({ shelf: await shelves.upsert(shelf, { inc: { pieces: shelf.pieces } }) }),
})

const take = defineTool({
  name: 'stock_take',
  description: 'Take pieces from a shelf that has them. Returns the shelf.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ name: Type.String(), pieces: amount }, closed),
  output: Type.Object({ shelf: Shelf }),
  uses: { shelves },
  async handle({ name, pieces }, { shelves }) {
    const shelf = await shelves.updateOne(name, { inc: { pieces: -pieces } }, { pieces: { gte: pieces } })
    if (shelf) return { shelf }
    const existing = await shelves.get(name)
    if (!existing) throw NotFound({ what: 'shelf', id: name })
    throw Conflict({ message: `\`pieces\` must be at most ${existing.pieces}, what is on ${name}; got ${pieces}.` })
  },
})

const move = defineTool({
  name: 'stock_move',
  description: 'Move pieces from one shelf to another. Returns both.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ from: Type.String(), to: Type.String(), pieces: amount }, closed),
  output: Type.Object({ from: Shelf, to: Shelf }),
  uses: { shelves, atomically },
  handle: ({ from, to, pieces }, { shelves, atomically }) =>
    atomically(async (tx) => {
      const both = shelves.in(tx)
      const source = await both.updateOne(from, { inc: { pieces: -pieces } }, { pieces: { gte: pieces } })
      if (!source) throw Conflict({ message: `\`pieces\` must be at most what is on ${from}; got ${pieces}.` })
      const destination = await both.updateOne(to, { inc: { pieces } })
      if (!destination) throw NotFound({ what: 'shelf', id: to })
      return { from: source, to: destination }
    }),
})

const list = defineTool({
  name: 'stock_list',
  description: 'List the shelves of a hall, the fullest first, with a cursor when there are more.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ hall: Type.String(), cursor: Type.Optional(Type.String()) }, closed),
  output: Type.Object({ shelves: Type.Array(Shelf), nextCursor: Type.Optional(Type.String()) }),
  uses: { shelves },
  async handle({ hall, cursor }, { shelves }) {
    const { items, nextCursor } = await shelves.find({ where: { hall }, sort: { pieces: -1 }, limit: 50, ...(cursor && { cursor }) })
    return { shelves: [...items], ...(nextCursor && { nextCursor }) }
  },
})

const total = defineTool({
  name: 'stock_total',
  description: 'Count the shelves of every tenant the caller reaches. Returns one number a tenant.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ tenants: Type.Array(Type.Object({ tenantId: Type.String(), shelves: Type.Integer() })) }),
  uses: { everywhere: throughout(shelves) },
  async handle(_, { everywhere }) {
    const tenants = await everywhere()
    return {
      tenants: await Promise.all(tenants.map(async ({ tenantId, collection }) => ({ tenantId, shelves: await collection.count() }))),
    }
  },
})

export default definePlugin({
  id: 'stock',
  sdk: '^1.0.0',
  description: 'Counts pieces on shelves.',
  collections: [shelves],
  tools: [put, take, move, list, total],
})
