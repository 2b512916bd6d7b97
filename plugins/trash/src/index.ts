import { definePlugin } from '@gateway/sdk'
import { bin } from './bin.ts'
import { entries } from './collections.ts'
import { config } from './config.ts'
import { retention } from './retention.ts'
import { trashList } from './tools/trash-list.ts'

export default definePlugin({
  id: 'trash',
  sdk: '^1.0.0',
  description: 'The bin other families move removed records to, and out of again, until the retention time is over.',
  config,
  collections: [entries],
  tools: [trashList],
  jobs: [retention],
  provides: [bin],
})
