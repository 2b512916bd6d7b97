import { NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { answerPack, transfer, transferUses } from '../operations/transfer.ts'
import { IDLE_MS } from '../rules/idle.ts'
import { owner } from '../schema.ts'

export const showRefs = defineRawRoute({
  name: 'brain-hosting.refs',
  description: 'Returns the refs of the hosted brain, for git clients.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /git/:owner/brain.git/info/refs',
  idleMs: IDLE_MS,
  credential: 'own',
  input: Type.Object({ owner, service: Type.Enum(['git-upload-pack', 'git-receive-pack']) }, closed),
  http: {
    headers: { 'git-protocol': { description: '`version=2` selects version 2 of the git protocol.' } },
    answer: {
      status: 200,
      description: 'Refs in git’s wire format.',
      content: { 'application/x-git-upload-pack-advertisement': {}, 'application/x-git-receive-pack-advertisement': {} },
    },
  },
  errors: [NotEntitled],
  uses: transferUses,
  async handle({ service: asked }, refs, ctx, exchange) {
    const service = asked === 'git-upload-pack' ? 'upload-pack' : 'receive-pack'
    await transfer(refs, ctx, (repo) => answerPack(repo, ctx, exchange, { service, advertise: true }))
  },
})
