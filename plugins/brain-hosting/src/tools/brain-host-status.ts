import { entitlements } from '@gateway/plugin-entitlements/api'
import { closed, defined, defineTool, Type } from '@gateway/sdk'
import { REMOTE, remotes } from '../collections.ts'
import { pushLimiter } from '../services/push-limiter.ts'

export const brainHostStatus = defineTool({
  name: 'brain_host_status',
  description:
    'See whether your brain is a remote for git clients, at which URL, how it is protected, and how much room the plan leaves. Returns {provisioned, url?, plan, entitled, createdAt?, rotatedAt?, encryption, quota}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      provisioned: Type.Boolean(),
      url: Type.Optional(Type.String({ description: 'Contains no credential.' })),
      plan: Type.String(),
      entitled: Type.Boolean({ description: 'The plan includes a hosted brain.' }),
      createdAt: Type.Optional(Type.String()),
      rotatedAt: Type.Optional(Type.String()),
      encryption: Type.Object(
        {
          inTransit: Type.Enum(['tls', 'none'], { description: 'Follows from the URL.' }),
          atRest: Type.Enum(['disk'], { description: 'That of the gateway’s disk; no encryption is added.' }),
          tokens: Type.Enum(['sha-256'], { description: 'Tokens are stored as this hash.' }),
        },
        closed,
      ),
      quota: Type.Object({ usedBytes: Type.Integer(), capBytes: Type.Integer() }, closed),
    },
    closed,
  ),
  uses: { remotes, pushLimiter, entitlements },
  async handle(_args, { remotes, pushLimiter, entitlements }, ctx) {
    const [remote, { plan, usedBytes, capBytes }, entitled] = await Promise.all([
      remotes.get(REMOTE),
      pushLimiter.quotaOf(ctx.tenantId),
      entitlements.has('hostedBrain'),
    ])
    const url = remote && pushLimiter.urlOf(ctx.tenantId)
    return {
      provisioned: remote !== undefined,
      ...defined({ url }),
      plan,
      entitled,
      ...(remote && { createdAt: remote.createdAt }),
      ...(remote?.rotatedAt !== undefined && { rotatedAt: remote.rotatedAt }),
      encryption: {
        inTransit: url?.startsWith('https:') ? ('tls' as const) : ('none' as const),
        atRest: 'disk' as const,
        tokens: 'sha-256' as const,
      },
      quota: { usedBytes, capBytes },
    }
  },
})
