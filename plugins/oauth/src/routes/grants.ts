import { closed, defineRoute, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'
import { Grant, type StoredGrant } from '../schema.ts'

const MAX = 1_000

export const listGrants = defineRoute({
  name: 'oauth.grants',
  description:
    'List the clients with access over OAuth, latest first: those the caller granted, or with the capability members all of the tenant’s.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/oauth/grants',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), grants: Type.Array(Grant) }, closed),
  uses: { grants },
  async handle(_input, { grants }, ctx) {
    const own = ctx.holds('members') ? {} : { callerId: ctx.principal.id }
    const where = { ...own, expiresAt: { gt: ctx.now().toISOString() } }
    const { items } = await grants.find({ where, sort: { createdAt: -1 }, limit: MAX })
    return { count: items.length, grants: items.map(shown) }
  },
})

const shown = ({
  grantId,
  clientName: client,
  clientId,
  label,
  callerId,
  role,
  scopes,
  createdAt,
  usedAt,
  expiresAt,
}: StoredGrant): Grant => ({
  grantId,
  client,
  clientId,
  who: label ?? callerId,
  role,
  scopes,
  createdAt,
  usedAt,
  expiresAt,
})
