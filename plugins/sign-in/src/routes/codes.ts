import { atomically, closed, defineRoute, Type } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { codes } from '../collections.ts'
import { signedInAs } from '../rules/who.ts'

const SECONDS = 120
/** Limit of a tenant's unused codes; the oldest is removed for one more. */
const MAX_CODES = 100

export const makeCode = defineRoute({
  name: 'sign-in.codes',
  description:
    'Create a code with which a browser signs in as the caller, once, within two minutes. Returns the code and the page that accepts it.',
  capability: 'read',
  effect: 'write',
  rest: 'POST /api/sign-in/codes',
  status: 201,
  input: Type.Object({}, closed),
  output: Type.Object({ code: Type.String({ secret: true }), path: Type.String({ secret: true }), expiresAt: Type.String() }, closed),
  uses: { codes, atomically },
  async handle(_input, { codes, atomically }, ctx) {
    const who = signedInAs(ctx.principal)
    const secret = newSecret()
    const now = ctx.now()
    const expiresAt = new Date(now.getTime() + SECONDS * 1_000).toISOString()
    await atomically(async (tx) => {
      const { items } = await codes.in(tx).find({ sort: { createdAt: -1 }, limit: MAX_CODES + 1 })
      for (const { hash } of items.slice(MAX_CODES - 1)) await codes.in(tx).deleteOne(hash)
      await codes.in(tx).insert({ ...who, hash: hashOf(secret), createdAt: now.toISOString(), expiresAt })
    })
    const code = `${ctx.tenantId}:${secret}`
    return { code, path: `/dashboard/#code=${code}`, expiresAt }
  },
})
