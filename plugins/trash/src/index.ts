import { definePlugin } from '@gateway/sdk'
import { entries } from './collections.ts'
import { config } from './config.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { retention } from './jobs/retention.ts'
import { trashPage } from './pages/trash.ts'
import { bin } from './services/bin.ts'
import { trashList } from './tools/trash-list.ts'

export default definePlugin({
  id: 'trash',
  sdk: '^1.0.0',
  description: 'Keeps removed records of other families, which can restore them until the retention time ends.',
  config,
  collections: [entries],
  tools: [trashList],
  jobs: [retention],
  contributes: [retentionByHand],
  provides: [bin],
  pages: [trashPage],
})
