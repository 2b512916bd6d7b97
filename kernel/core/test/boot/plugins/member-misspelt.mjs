import { definePlugin, defineTool, Type } from '@gateway/sdk'

const closed = Type.Object({}, { additionalProperties: false })

/** In plain JavaScript only this check finds a misspelt member; the tool would be served without its route. */
const late = defineTool({
  name: 'late_get',
  description: 'Answers nothing.',
  capability: 'read',
  effect: 'read',
  raest: 'GET /api/late',
  input: closed,
  output: closed,
  handle: async () => ({}),
})

export default definePlugin({ id: 'member-misspelt', sdk: '^1.0.0', description: 'A tool with a misspelt route.', tools: [late] })
