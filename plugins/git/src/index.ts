import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { brainsInBackup } from './contributions/backup-part-brains.ts'
import { hooksInBackup } from './contributions/backup-part-hooks.ts'
import { probe } from './contributions/health-probe.ts'
import { gitProvider } from './services/git.ts'

/**
 * Git for other families: bare repositories of tenants, and read access to work trees of the operator. The life of its helper:
 *
 * 1. absent: a gateway with unused repositories starts no process;
 * 2. started by the first question, and asked for its git version; without a recent git every question is refused with that
 *    reason;
 * 3. at work: a few git processes per repository in use, fed over their pipes; one queue for changes of a repository, reads in
 *    parallel;
 * 4. died: an unanswered question is asked again if it only reads, else its caller learns that its outcome is unknown; the next
 *    question starts another helper, which clears away half-done work before it writes;
 * 5. idle: ended, with all its processes.
 */
export default definePlugin({
  id: 'git',
  sdk: '^1.0.0',
  description: 'Bare git repositories behind one small helper process, and reads of work trees.',
  config,
  provides: [gitProvider],
  contributes: [probe, brainsInBackup, hooksInBackup],
})
