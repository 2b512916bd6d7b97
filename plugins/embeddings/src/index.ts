import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { modelsInBackup } from './contributions/backup-part.ts'
import { probe } from './contributions/health-probe.ts'
import { embeddingsStatus } from './contributions/status-facts.ts'
import { queriesOfTenant } from './contributions/tenant-cache.ts'
import { embeddingsProvider } from './services/embeddings.ts'

/**
 * Sentence vectors from a model on this machine, for the families that search by meaning. The path of a text:
 *
 * 1. it waits, queries before all others; a recent query is answered from the cache;
 * 2. the model's process makes its vector, one text at a time; it is started for the first one;
 * 3. a process that dies is restarted and the text retried once; after a while without texts it ends.
 *
 * The package that runs the model and the model itself are optional: without them the service says what is missing.
 */
export default definePlugin({
  id: 'embeddings',
  sdk: '^1.0.0',
  description: 'Computes sentence vectors with a model on this machine.',
  config,
  provides: [embeddingsProvider],
  contributes: [embeddingsStatus, probe, modelsInBackup, queriesOfTenant],
})
