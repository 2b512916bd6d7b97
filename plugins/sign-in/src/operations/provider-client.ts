import type { OutgoingCaller } from '@gateway/plugin-outgoing/api'
import type { ProviderConfig } from '../config.ts'
import type { Attempt } from '../rules/attempt.ts'
import type { Identity } from '../rules/identity.ts'

export interface ProviderSetup {
  readonly id: string
  readonly config: ProviderConfig
  readonly redirectUri: string
}

/** The side of a sign-in that speaks with one provider. Throws a SignInRefusal. */
export interface ProviderClient {
  authorizationUrl(attempt: Attempt, caller: OutgoingCaller): Promise<string>
  /** Redeems the code of the provider's answer, and returns the person. */
  identify(answer: { readonly code: string; readonly iss: string | undefined }, attempt: Attempt, caller: OutgoingCaller): Promise<Identity>
}
