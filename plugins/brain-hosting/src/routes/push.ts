import { NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineRawRoute, Type } from '@gateway/sdk'
import { judge } from '../operations/judge.ts'
import { answerPack, transfer, transferUses } from '../operations/transfer.ts'
import { IDLE_MS } from '../rules/idle.ts'
import { owner } from '../schema.ts'

export const pushPack = defineRawRoute({
  name: 'brain-hosting.push',
  description: 'Takes a push of a git client to the hosted brain. Returns the outcome of each ref.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /git/:owner/brain.git/git-receive-pack',
  idleMs: IDLE_MS,
  credential: 'own',
  input: Type.Object({ owner }, closed),
  http: {
    headers: { 'git-protocol': { description: '`version=2` selects version 2 of the git protocol.' } },
    body: { 'application/x-git-receive-pack-request': {} },
    answer: { status: 200, description: 'Outcome of each ref.', content: { 'application/x-git-receive-pack-result': {} } },
  },
  errors: [NotEntitled],
  uses: transferUses,
  async handle(_input, refs, ctx, exchange) {
    await transfer(refs, ctx, async (repo) => {
      const room = await refs.pushLimiter.reserve(ctx.tenantId)
      try {
        await answerPack(repo, ctx, exchange, {
          service: 'receive-pack',
          advertise: false,
          maxBytes: room.left,
          takeRoom: room.take,
          judge: judge(refs, ctx, room),
        })
      } finally {
        room.release()
        // A client that disconnects before it has read the answer may still have moved the refs.
        await refs.brain.refresh()
      }
    })
  },
})
