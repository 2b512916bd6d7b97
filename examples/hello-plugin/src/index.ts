import { closed, defineCollection, defineConfig, defineError, defineEvent, definePlugin, defineTool, now, Type } from '@gateway/sdk'
import { phrase } from './phrase.ts'

const config = defineConfig(
  'hello',
  Type.Object(
    {
      word: Type.Optional(Type.String({ minLength: 1, env: 'HELLO_WORD', description: 'Said instead of the time of day.' })),
      banned: Type.Array(Type.String(), { default: [], description: 'Names that are not greeted.' }),
    },
    closed,
  ),
)

const guest = Type.Object({ name: Type.String(), visits: Type.Integer(), lastSeen: Type.String() }, closed)
const guests = defineCollection('hello.guests', { schema: guest, key: 'name', indexes: [{ keys: { lastSeen: -1 } }] })

/** Published after each greeting: any plugin may subscribe with `on(guestGreeted, …)`. */
export const guestGreeted = defineEvent('hello.greeted', guest)

export const NotWelcome = defineError('NOT_WELCOME', {
  status: 403,
  description: 'The name is in this plugin’s setting `banned`, and is not greeted.',
  details: Type.Object({ name: Type.String() }),
  message: ({ name }) => `${name} is not greeted here.`,
})

const greet = defineTool({
  name: 'hello_greet',
  description: 'Greet someone by name and remember the visit. Returns the greeting, and the guest with the number of visits so far.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/hello/:name',
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the person to greet.' }) }, closed),
  output: Type.Object({ text: Type.String(), guest }),
  errors: [NotWelcome],
  uses: { config, guests, guestGreeted },
  async handle({ name }, { config, guests, guestGreeted }, ctx) {
    if (config.banned.includes(name)) throw NotWelcome({ name })
    const first = { name, visits: 1, lastSeen: ctx.now().toISOString() }
    const guest = await guests.upsert(first, { inc: { visits: 1 }, set: { lastSeen: now() } })
    guestGreeted.emit(guest)
    return { text: phrase(name, ctx.now().getUTCHours(), config.word), guest }
  },
})

const list = defineTool({
  name: 'hello_guests',
  description: 'List who was greeted, the latest visitor first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/hello',
  input: Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'At most this many.' })) },
    closed,
  ),
  output: Type.Object({ guests: Type.Array(guest) }),
  uses: { guests },
  async handle({ limit = 20 }, { guests }) {
    const { items } = await guests.find({ sort: { lastSeen: -1 }, limit })
    return { guests: [...items] }
  },
})

export default definePlugin({
  id: 'hello',
  sdk: '^1.0.0',
  description: 'Greets people and remembers them: a plugin on one screen.',
  config,
  collections: [guests],
  events: [guestGreeted],
  tools: [greet, list],
})
