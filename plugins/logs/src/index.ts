import { definePlugin } from '@gateway/sdk'
import { logs, rings } from './collections.ts'
import { config } from './config.ts'
import { logsPage } from './pages/logs.ts'
import { recordBatch } from './routes/batch.ts'
import { batchesProvider } from './services/batches.ts'
import { logsList } from './tools/logs-list.ts'
import { logsRecord } from './tools/logs-record.ts'

export default definePlugin({
  id: 'logs',
  sdk: '^1.0.0',
  description: 'Structured log lines without secrets; the latest of each tenant are kept.',
  config,
  collections: [logs, rings],
  tools: [logsRecord, logsList],
  routes: [recordBatch],
  provides: [batchesProvider],
  pages: [logsPage],
})
