import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { brainsInBackup } from './contributions/backup-part-brains.ts'
import { hooksInBackup } from './contributions/backup-part-hooks.ts'
import { probe } from './contributions/health-probe.ts'
import { gitProvider } from './services/git.ts'

/**
 * Git for other families: bare repositories of tenants, and a look into work trees of the operator. The life of its helper:
 *
 * 1. not there: a gateway whose repositories nobody touches starts no process;
 * 2. started by the first question, and asked which git there is; without a recent one every question is refused and says so;
 * 3. at work: a few git processes per repository in use, fed over their pipes; one queue for what changes a repository, reads beside it;
 * 4. died: what it had not answered is asked again if it only reads, else its outcome is unknown and its caller is told; the next
 *    question starts another one, which clears away what was left half done before it writes;
 * 5. idle: ended, with all its processes.
 */
export default definePlugin({
  id: 'git',
  sdk: '^1.0.0',
  description: 'Bare git repositories behind one small helper process, and a look into work trees.',
  config,
  provides: [gitProvider],
  contributes: [probe, brainsInBackup, hooksInBackup],
})
