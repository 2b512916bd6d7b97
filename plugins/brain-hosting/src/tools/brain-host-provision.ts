import { brain } from '@gateway/plugin-brain/api'
import { entitlements, NotEntitled } from '@gateway/plugin-entitlements/api'
import { atomically, Conflict, closed, defineTool, Type } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { REMOTE, remotes } from '../collections.ts'
import { MAX_TOKENS, newToken } from '../rules/tokens.ts'
import { Issued } from '../schema.ts'
import { pushLimiter } from '../services/push-limiter.ts'

export const brainHostProvision = defineTool({
  name: 'brain_host_provision',
  description:
    'Make your brain a remote for git clients at a URL of this gateway, or adopt the one there is. Returns {url, token}: the token is the password for git, and shown this once.',
  capability: 'configure',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Issued,
  errors: [NotEntitled],
  uses: { remotes, atomically, brain, pushLimiter, plan: entitlements },
  async handle(_args, { remotes, atomically, brain, pushLimiter, plan }, ctx) {
    await plan.require('hostedBrain')
    const url = pushLimiter.urlOf(ctx.tenantId)
    await brain.begin()
    const token = newToken()
    const hash = hashOf(token)
    await atomically(async (tx) => {
      const own = remotes.in(tx)
      const remote = await own.get(REMOTE)
      if ((remote?.tokenHashes.length ?? 0) >= MAX_TOKENS)
        throw Conflict({ message: `${MAX_TOKENS} tokens are valid already; brain_host_rotate ends them and creates a new one.` })
      await own.upsert({ id: REMOTE, tokenHashes: [hash], createdAt: ctx.now().toISOString() }, { addToSet: { tokenHashes: hash } })
    })
    ctx.audit('brain.remote-provisioned', { url })
    return { url, token }
  },
})
