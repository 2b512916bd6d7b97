import { NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { answerPack, transfer, transferUses } from '../operations/transfer.ts'
import { IDLE_MS } from '../rules/idle.ts'
import { owner } from '../schema.ts'

export const fetchPack = defineRawRoute({
  name: 'brain-hosting.fetch',
  description: 'Returns the objects that a git client asks for when it clones or fetches the hosted brain.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /git/:owner/brain.git/git-upload-pack',
  idleMs: IDLE_MS,
  credential: 'own',
  input: Type.Object({ owner }, closed),
  http: {
    headers: { 'git-protocol': { description: '`version=2` selects version 2 of the git protocol.' } },
    body: { 'application/x-git-upload-pack-request': {} },
    answer: { status: 200, description: 'Pack that git asked for.', content: { 'application/x-git-upload-pack-result': {} } },
  },
  errors: [NotEntitled],
  uses: transferUses,
  handle: (_input, refs, ctx, exchange) =>
    transfer(refs, ctx, (repo) => answerPack(repo, ctx, exchange, { service: 'upload-pack', advertise: false })),
})
