import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { REMOTE, remotes } from '../collections.ts'
import { newToken } from '../rules/tokens.ts'
import { Issued } from '../schema.ts'
import { pushLimiter } from '../services/push-limiter.ts'

export const brainHostRotate = defineTool({
  name: 'brain_host_rotate',
  description:
    'Get a new token for the remote of your brain; all earlier ones are refused from now on. Returns {url, token}, the token this once.',
  capability: 'configure',
  effect: 'destructive',
  input: Type.Object({}, closed),
  output: Issued,
  uses: { remotes, pushLimiter },
  async handle(_args, { remotes, pushLimiter }, ctx) {
    const url = pushLimiter.urlOf(ctx.tenantId)
    const token = newToken()
    const changed = await remotes.updateOne(REMOTE, { set: { tokenHashes: [hashOf(token)], rotatedAt: ctx.now().toISOString() } })
    if (!changed) throw NotFound({ what: 'hosted brain', id: ctx.tenantId })
    ctx.audit('brain.remote-rotated', { url })
    return { url, token }
  },
})
