import { atomically, closed, defineTool, listChanged, Type } from '@gateway/sdk'
import { OF_TOOLS, pluginTools, revisions } from '../collections.ts'

export const pluginToolsRemove = defineTool({
  name: 'plugin_tools_remove',
  description:
    'Remove a tool that this tenant has registered: the next list leaves it out, and the next call is refused as unknown. Returns {removed}, false when no tool had that name.',
  capability: 'configure',
  effect: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/plugin-tools/:name',
  subject: ['name'],
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }, closed),
  output: Type.Object({ removed: Type.Boolean() }, closed),
  uses: { pluginTools, revisions, atomically, listChanged },
  async handle({ name }, { pluginTools, revisions, atomically, listChanged }, ctx) {
    const revision = ctx.newId('rev-')
    const removed = await atomically(async (tx) => {
      const tool = await pluginTools.in(tx).deleteOne(name)
      if (tool) await revisions.in(tx).upsert({ of: OF_TOOLS, revision }, { set: { revision } })
      return tool
    })
    if (!removed) return { removed: false }
    ctx.audit('plugintool.change', { action: 'remove', name, hash: removed.hash })
    listChanged.emit({ list: 'tools' })
    return { removed: true }
  },
})
