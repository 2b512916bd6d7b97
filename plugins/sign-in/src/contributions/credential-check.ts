import { contribute, credentialCheck } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { codes } from '../collections.ts'
import { exchangeCode } from '../routes/code.ts'

/** Checks a code; the route takes it, once. */
export const codeCheck = contribute(credentialCheck, {
  uses: { codes },
  create: ({ codes }, ctx) => ({
    routes: [exchangeCode.name],
    async check(secret) {
      const code = await codes.get(hashOf(secret))
      if (!code || code.expiresAt <= ctx.now().toISOString()) return undefined
      return { id: code.callerId, role: code.role === 'operator' ? 'owner' : code.role }
    },
  }),
})
