import { closed, defineCollection, defineJob, definePlugin, defineTool, type Infer, scan, Type } from '@gateway/sdk'

const Room = Type.Object(
  { name: Type.String(), seats: Type.Integer(), size: Type.Optional(Type.Enum(['small', 'large'], { description: 'New in version 2.' })) },
  closed,
)
const rooms = defineCollection('rooms', { schema: Room, key: 'name' })

const sizeOf = ({ seats, size }: Infer<typeof Room>) => size ?? (seats > 12 ? 'large' : 'small')

const fillSizes = defineJob('rooms.fill-sizes', {
  everySeconds: 3600,
  uses: { rooms },
  async run({ rooms }, ctx) {
    let filled = 0
    for await (const room of scan(rooms, {}, ctx)) {
      if (room.size !== undefined) continue
      const { name, seats } = room
      if (await rooms.updateOne(name, { set: { size: sizeOf(room) } }, { seats, size: { exists: false } })) filled++
    }
    return { filled }
  },
})

const list = defineTool({
  name: 'room_list',
  description: 'List the first rooms by name. Returns each with its size.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ rooms: Type.Array(Room) }),
  uses: { rooms },
  async handle(_, { rooms }) {
    const { items } = await rooms.find({ limit: 100 })
    return { rooms: items.map((room) => ({ ...room, size: sizeOf(room) })) }
  },
})

/** Rooms of an office, in version 2 of their schema. */
export default definePlugin({
  id: 'rooms',
  sdk: '^1.0.0',
  description: 'Keeps rooms, for the guide about storage.',
  collections: [rooms],
  jobs: [fillSizes],
  tools: [list],
})
