import { outgoing } from '@gateway/plugin-outgoing/api'
import { defineService, optional, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { githubClient } from '../operations/github.ts'
import { Issuers, oidcClient } from '../operations/oidc.ts'
import type { ProviderClient } from '../operations/provider-client.ts'

/** The configured providers through which people sign in. */
export interface SignInProviders {
  /** Address of this gateway; `undefined` while signing in through providers is off. */
  readonly publicUrl: string | undefined
  /** In the order of the settings. */
  readonly shown: readonly { readonly id: string; readonly name: string }[]
  of(id: string): ProviderClient | undefined
}
export const signInProviders = defineService<SignInProviders>('sign-in.providers', 'process')

export const signInProvidersProvider = provideProcess(signInProviders, {
  uses: { outgoing: optional(outgoing), config },
  create({ outgoing, config }) {
    const { publicUrl, providers } = config
    const none: SignInProviders = { publicUrl: undefined, shown: [], of: () => undefined }
    if (outgoing === undefined || publicUrl === undefined || !isSafe(publicUrl)) return none
    const issuers = new Issuers(outgoing)
    const clients = new Map<string, ProviderClient>()
    for (const [id, provider] of Object.entries(providers)) {
      const setup = { id, config: provider, redirectUri: `${publicUrl}/oauth/callback/${id}` }
      if (provider.kind === 'github') clients.set(id, githubClient(outgoing, setup))
      else if (provider.issuer !== undefined) clients.set(id, oidcClient(outgoing, issuers, setup))
      else throw new Error(`plugins.sign-in.providers.${id}.issuer is missing: a provider of kind oidc needs the address of its issuer.`)
    }
    const shown = Object.entries(providers).map(([id, { name = id }]) => ({ id, name }))
    return { publicUrl, shown, of: (id) => clients.get(id) }
  },
})

/** Cookies and codes need https, except on this machine. */
const isSafe = (url: string): boolean =>
  url.startsWith('https://') || /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(url)
