import { definePlugin } from '@gateway/sdk'
import { rings, spans, traces } from './collections.ts'
import { config } from './config.ts'
import { tracesPage } from './pages/traces.ts'
import { recorderProvider } from './services/recorder.ts'
import { tracesList } from './tools/traces-list.ts'
import { tracesRecord } from './tools/traces-record.ts'

export default definePlugin({
  id: 'traces',
  sdk: '^1.0.0',
  description: 'Finished spans of gateway, runners and agents, by task.',
  config,
  collections: [traces, spans, rings],
  tools: [tracesRecord, tracesList],
  provides: [recorderProvider],
  pages: [tracesPage],
})
