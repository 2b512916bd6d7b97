import { defineCommand, definePlugin, defineTool, Type } from '@gateway/sdk'

const closed = { additionalProperties: false }

const list = defineTool({
  name: 'shelf_list',
  description: 'List the shelves.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ shelves: Type.Array(Type.String()), tenant: Type.String() }, closed),
  handle: async (_input, _uses, { tenantId }) => ({ shelves: ['top', 'middle'], tenant: tenantId }),
})

export default definePlugin({
  id: 'shelves',
  sdk: '^1.0.0',
  description: 'Has two shelves.',
  tools: [list],
  commands: [
    defineCommand('shelf-show', { summary: 'Show the shelves.', load: () => import('./shelf-show.mjs') }),
    defineCommand('shelf-broken', { summary: 'Cannot be loaded.', load: () => import('./no-such-module.mjs') }),
    defineCommand('shelf-bare', { summary: 'Is no handler.', load: async () => ({ default: {} }) }),
  ],
})
