import { DuplicateKey, gatewayWide, isToolError, provide } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { identityAssertions } from '../api.ts'
import { assertions } from '../collections.ts'
import { admit, admitUses, signedInMember } from '../operations/admit.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import { signInProviders } from './providers.ts'

export const identityAssertionsProvider = provide(identityAssertions, {
  uses: { ...admitUses, used: gatewayWide(assertions), providers: signInProviders },
  create: (refs, ctx) => ({
    isOn: refs.providers.takesAssertions,
    async admit(given, audit) {
      try {
        const { person, id, expiresAt, scope, resource } = await refs.providers.verify(given, ctx)
        await refs.used
          .writable()
          .insert({ hash: hashOf(id), expiresAt })
          .catch((error: unknown) => {
            throw isToolError(error) && error.code === DuplicateKey.code ? new SignInRefusal('assertion was used before.') : error
          })
        const { tenantId, member } = await admit(refs, person, {}, audit, ctx)
        const { callerId, label } = signedInMember(member)
        const { memberId, role } = member
        return { tenantId, memberId, callerId, role, ...(label !== undefined && { label }), scope, resource }
      } catch (error) {
        if (error instanceof SignInRefusal) return { fault: error.message }
        throw error
      }
    },
  }),
})
