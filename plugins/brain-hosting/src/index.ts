import { definePlugin } from '@gateway/sdk'
import { remotes } from './collections.ts'
import { config } from './config.ts'
import { writeGate } from './contributions/brain-write-gate.ts'
import { tokenCheck } from './contributions/credential-check.ts'
import { fetchPack } from './routes/fetch.ts'
import { pushPack } from './routes/push.ts'
import { showRefs } from './routes/refs.ts'
import { pushLimiterProvider } from './services/push-limiter.ts'
import { brainHostProvision } from './tools/brain-host-provision.ts'
import { brainHostRotate } from './tools/brain-host-rotate.ts'
import { brainHostStatus } from './tools/brain-host-status.ts'

/**
 * Brains as remotes for git clients. The life of a remote:
 *
 * 1. provisioned: its URL and a token are returned, the token only this once; only its hash is kept;
 * 2. cloned and fetched with that token alone, streamed throughout;
 * 3. pushed to: the push stays in quarantine until it is judged, and only then refs move; the client's screen shows a refusal;
 * 4. counted: a push or commit that exceeds the plan's quota is refused;
 * 5. rotated: a new token is issued, and earlier ones are no longer accepted.
 */
export default definePlugin({
  id: 'brain-hosting',
  sdk: '^1.0.0',
  description: 'Serves brains as remotes for git clients: clone, fetch and push over HTTP.',
  config,
  collections: [remotes],
  tools: [brainHostProvision, brainHostStatus, brainHostRotate],
  routes: [showRefs, fetchPack, pushPack],
  provides: [pushLimiterProvider],
  contributes: [tokenCheck, writeGate],
})
