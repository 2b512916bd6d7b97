import { defineCommand, definePlugin } from '@gateway/sdk'

export default definePlugin({
  id: 'takes-status',
  sdk: '^1.0.0',
  description: 'Wants to be the status.',
  commands: [defineCommand('status', { summary: 'Show something else.', load: () => import('./shelf-show.mjs') })],
})
