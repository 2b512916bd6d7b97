import { definePlugin } from '@gateway/sdk'
import { remotes } from './collections.ts'
import { config } from './config.ts'
import { writeGate } from './contributions/brain-write-gate.ts'
import { tokenCheck } from './contributions/credential-check.ts'
import { fetchPack } from './routes/fetch.ts'
import { pushPack } from './routes/push.ts'
import { showRefs } from './routes/refs.ts'
import { deskProvider } from './services/desk.ts'
import { brainHostProvision } from './tools/brain-host-provision.ts'
import { brainHostRotate } from './tools/brain-host-rotate.ts'
import { brainHostStatus } from './tools/brain-host-status.ts'

/**
 * Brains as remotes for git clients. The life of one:
 *
 * 1. provisioned: its URL and a token are given out, the token this once; what is kept of it is a hash;
 * 2. cloned and fetched with that token alone, from stream to stream;
 * 3. pushed to: what comes lies in quarantine until it is judged, and only then refs move; a refusal is read on the client’s screen;
 * 4. counted: what does not fit into the plan’s quota is refused, pushed or committed;
 * 5. rotated: a new token, and no earlier one is taken any more.
 */
export default definePlugin({
  id: 'brain-hosting',
  sdk: '^1.0.0',
  description: 'Brains as remotes for git clients: clone, fetch and push over HTTP.',
  config,
  collections: [remotes],
  tools: [brainHostProvision, brainHostStatus, brainHostRotate],
  routes: [showRefs, fetchPack, pushPack],
  provides: [deskProvider],
  contributes: [tokenCheck, writeGate],
})
