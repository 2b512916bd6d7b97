import { definePlugin } from '@gateway/sdk'
import { documents, dueMirrors, handoffs, heads } from './collections.ts'
import { config } from './config.ts'
import { memoryDocuments } from './contributions/memory-contributor.ts'
import { repoHandoffTimes } from './contributions/repos-handoff-times.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { handoffsOfSession } from './contributions/sessions-records.ts'
import { handoffRetention } from './jobs/handoff-retention.ts'
import { mirrorJob } from './jobs/mirror.ts'
import { handoffResource } from './resources/handoff.ts'
import { stateProvider } from './services/state.ts'
import { handoffRead } from './tools/handoff-read.ts'
import { handoffWrite } from './tools/handoff-write.ts'
import { stateRead } from './tools/state-read.ts'
import { stateUpdate } from './tools/state-update.ts'

/**
 * Context for the next session in a repo: two Markdown files, STATE.md and HANDOFF.md, and a list of handoff entries.
 *
 * The life of a file:
 * 1. it is in the repo's folder `.gateway`; for a repo without a folder on this machine it is a document in the store;
 * 2. changed by its sections: read, changed and replaced under a lock, so that no two changes undo each other;
 * 3. a handoff file that is full is moved into the folder `archive`, and a new one begins.
 *
 * The life of a handoff entry:
 * 1. added, never changed: it is kept in the store from then on;
 * 2. copied into the handoff file of its repo, at once or, when that fails or the process ends, a few minutes later;
 * 3. removed from the store a year later, unless it is among the newest of its repo.
 */
export default definePlugin({
  id: 'state',
  sdk: '^1.0.0',
  description: 'State and handoff of each repo, for the next session.',
  config,
  collections: [documents, handoffs, heads, dueMirrors],
  tools: [stateRead, stateUpdate, handoffWrite, handoffRead],
  jobs: [mirrorJob, handoffRetention],
  resources: [handoffResource],
  provides: [stateProvider],
  contributes: [memoryDocuments, repoHandoffTimes, retentionByHand, handoffsOfSession],
})
