import { arg, closed, defineCollection, definePage, definePlugin, defineTool, Panel, Type } from '@gateway/sdk'

const Chore = Type.Object({ choreId: Type.String(), what: Type.String(), status: Type.Enum(['open', 'done']), createdAt: Type.String() })
const chores = defineCollection('chores', { schema: Chore, key: 'choreId', indexes: [{ keys: { status: 1, createdAt: 1 } }] })

const list = defineTool({
  name: 'chore_list',
  description: 'List the chores, the oldest first.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ status: Type.Optional(Type.Enum(['open', 'done'])) }, closed),
  output: Type.Object({ chores: Type.Array(Chore) }, closed),
  uses: { chores },
  async handle({ status }, { chores }) {
    const where = { status: { in: status === undefined ? (['open', 'done'] as const) : [status] } }
    return { chores: [...(await chores.find({ where, sort: { createdAt: 1 } })).items] }
  },
})

const add = defineTool({
  name: 'chore_add',
  description: 'Add a chore. Returns it with its id.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ what: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
  output: Type.Object({ chore: Chore }, closed),
  uses: { chores },
  async handle({ what }, { chores }, ctx) {
    return { chore: await chores.insert({ choreId: ctx.newId('chore-'), what, status: 'open', createdAt: ctx.now().toISOString() }) }
  },
})

const drop = defineTool({
  name: 'chore_drop',
  description: 'Drop a chore for good. Returns whether it was there.',
  capability: 'work',
  effect: 'destructive',
  input: Type.Object({ choreId: Type.String() }, closed),
  output: Type.Object({ dropped: Type.Boolean() }, closed),
  uses: { chores },
  handle: async ({ choreId }, { chores }) => ({ dropped: (await chores.deleteOne(choreId)) !== undefined }),
})

const page = definePage({
  path: '/chores',
  title: 'Chores',
  icon: 'list-checks',
  group: 'work',
  actions: [{ id: 'add', label: 'Add a chore', tone: 'primary', tool: add, form: ['what'] }],
  panels: [
    Panel.table({
      id: 'chores',
      title: 'Chores',
      from: list,
      filters: ['status'],
      rows: '/chores',
      key: '/choreId',
      columns: {
        What: '/what',
        Status: { value: '/status', format: 'badge', tones: { done: 'good' } },
        Since: { value: '/createdAt', format: 'time' },
      },
      actions: [
        {
          id: 'drop',
          label: 'Drop',
          tool: drop,
          arguments: { choreId: arg.row('/choreId') },
          confirm: { object: arg.row('/what'), text: 'Nobody will do it.' },
        },
      ],
      empty: { text: 'There is nothing to do.', action: 'add' },
    }),
  ],
})

export default definePlugin({
  id: 'chores',
  sdk: '^1.0.0',
  description: 'Chores, and a page that shows them.',
  collections: [chores],
  tools: [list, add, drop],
  pages: [page],
})
