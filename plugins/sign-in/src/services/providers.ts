import { type OutgoingCaller, outgoing } from '@gateway/plugin-outgoing/api'
import { defineService, optional, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { type Assertion, verifyAssertion } from '../operations/assertion.ts'
import { githubClient } from '../operations/github.ts'
import { Issuers, oidcClient } from '../operations/oidc.ts'
import type { ProviderClient, ProviderSetup } from '../operations/provider-client.ts'
import { SignInRefusal } from '../rules/refusal.ts'

export interface SignInProviders {
  /** Address of this gateway; `undefined` while signing in through providers is off. */
  readonly publicUrl: string | undefined
  /** In the order of the settings. */
  readonly shown: readonly { readonly id: string; readonly name: string }[]
  of(id: string): ProviderClient | undefined
  /** True if a provider's identity assertions are accepted. */
  readonly takesAssertions: boolean
  /** Throws a SignInRefusal. */
  verify(
    given: { readonly assertion: string; readonly audience: string; readonly clientId: string },
    caller: OutgoingCaller,
  ): Promise<Assertion>
}
export const signInProviders = defineService<SignInProviders>('sign-in.providers', 'process')

export const signInProvidersProvider = provideProcess(signInProviders, {
  uses: { outgoing: optional(outgoing), config },
  create({ outgoing, config }) {
    const { publicUrl, providers } = config
    const refuse = async () => {
      throw new SignInRefusal('assertion is not accepted: no provider is configured.')
    }
    const none: SignInProviders = { publicUrl: undefined, shown: [], of: () => undefined, takesAssertions: false, verify: refuse }
    if (outgoing === undefined || publicUrl === undefined || !isSafe(publicUrl)) return none
    const issuers = new Issuers(outgoing)
    const clients = new Map<string, ProviderClient>()
    const setups: ProviderSetup[] = []
    for (const [id, provider] of Object.entries(providers)) {
      const setup = { id, config: provider, redirectUri: `${publicUrl}/oauth/callback/${id}` }
      if (provider.kind === 'oidc') setups.push(setup)
      if (provider.kind === 'github') clients.set(id, githubClient(outgoing, setup))
      else if (provider.issuer !== undefined) clients.set(id, oidcClient(outgoing, issuers, setup))
      else throw new Error(`plugins.sign-in.providers.${id}.issuer is missing: a provider of kind oidc needs the address of its issuer.`)
    }
    const shown = Object.entries(providers).map(([id, { name = id }]) => ({ id, name }))
    return {
      publicUrl,
      shown,
      of: (id) => clients.get(id),
      takesAssertions: setups.some((setup) => setup.config.assertions),
      verify: (given, caller) => verifyAssertion({ setups, issuers }, given, caller),
    }
  },
})

/** Cookies and codes need https, except on this machine. */
const isSafe = (url: string): boolean =>
  url.startsWith('https://') || /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(url)
