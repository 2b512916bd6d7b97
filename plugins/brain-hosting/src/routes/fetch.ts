import { NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { answerPack, transfer, transferUses } from '../operations/transfer.ts'
import { IDLE_MS } from '../rules/idle.ts'
import { owner } from '../schema.ts'

export const fetchPack = defineRawRoute({
  name: 'brain-hosting.fetch',
  description: 'Returns what a git client that clones or fetches the hosted brain asks for.',
  capability: 'read',
  effect: 'read',
  rest: 'POST /git/:owner/brain.git/git-upload-pack',
  idleMs: IDLE_MS,
  credential: 'own',
  input: Type.Object({ owner }, closed),
  http: {
    headers: { 'git-protocol': { description: '`version=2` for the protocol of that version.' } },
    body: { 'application/x-git-upload-pack-request': {} },
    answer: { status: 200, description: 'The pack that git asked for.', content: { 'application/x-git-upload-pack-result': {} } },
  },
  errors: [NotEntitled],
  uses: transferUses,
  handle: (_input, refs, ctx, exchange) =>
    transfer(refs, ctx, (repo) => answerPack(repo, ctx, exchange, { service: 'upload-pack', advertise: false })),
})
