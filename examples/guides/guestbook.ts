import { closed, defineCollection, defineCommand, definePlugin, defineTool, Type } from '@gateway/sdk'

const Guest = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), at: Type.String() }, closed)
const guests = defineCollection('guestbook.guests', { schema: Guest, key: 'name', indexes: [{ keys: { at: -1 } }] })

const sign = defineTool({
  name: 'guest_sign',
  description: 'Sign the guest book. Returns the entry.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/guests',
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ guest: Guest }),
  uses: { guests },
  async handle({ name }, { guests }, ctx) {
    const at = ctx.now().toISOString()
    return { guest: await guests.upsert({ name, at }, { set: { at } }) }
  },
})

const list = defineTool({
  name: 'guest_list',
  description: 'Read the guest book. Returns the entries, the latest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/guests',
  input: Type.Object({ limit: Type.Integer({ default: 20, minimum: 1, maximum: 100 }) }, closed),
  output: Type.Object({ guests: Type.Array(Guest) }),
  uses: { guests },
  handle: async ({ limit }, { guests }) => ({ guests: [...(await guests.find({ sort: { at: -1 }, limit })).items] }),
})

export default definePlugin({
  id: 'guestbook',
  sdk: '^1.0.0',
  description: 'Keeps a guest book.',
  collections: [guests],
  tools: [sign, list],
  commands: [
    defineCommand('guests', {
      summary: 'Sign the guest book, or read it.',
      load: () => import('./guests.ts'),
    }),
  ],
})
