import { type Clock, RateLimited, type RequestFacts, Unauthorized } from '@gateway/kernel'
import { throttle } from '@gateway/sdk/bounds'
import { type ClientAddress, clientAddress, type Settings } from '@gateway/settings'
import { endedAt } from './jwt-ended.ts'

export type Means = 'loopback' | 'local-token' | 'jwt' | 'api-key' | 'session' | 'token' | 'admin-token'

export interface Attempt {
  readonly request: RequestFacts
  readonly means: Means
  readonly value: string
}

const NAMES: Readonly<Record<Means, string>> = {
  loopback: 'local request',
  'local-token': 'local token',
  jwt: 'session token',
  'api-key': 'API key',
  session: 'session',
  token: 'OAuth token',
  'admin-token': 'operator’s token',
}
export const WAYS_IN = 'An API key is sent as `x-api-key` or as `Authorization: Bearer`.'

export interface RefusalParts {
  readonly settings: Pick<Settings, 'trustedProxies' | 'failedLoginLimit'>
  readonly clock: Clock
  /** Reports a refused credential to the audit trail. It never receives the secret. */
  readonly onRefused: (refusal: { address: string; means: Means; code: string }) => void
}

/** Handles credentials that admit nobody: records each, and makes an address that sends many wait. */
export class WrongCredentials {
  readonly #parts: Pick<RefusalParts, 'clock' | 'onRefused'>
  readonly #addressOf: ClientAddress
  readonly #failures: ReturnType<typeof throttle>

  constructor(parts: RefusalParts) {
    this.#parts = parts
    this.#addressOf = clientAddress(parts.settings.trustedProxies)
    this.#failures = throttle(parts.clock, { limit: parts.settings.failedLoginLimit, windowSeconds: 60 })
  }

  refuse(attempt: Attempt, message = this.#reasonFor(attempt)): never {
    const { request, means, value } = attempt
    const retryAfterSeconds = this.#failures.failed(this.#addressOf(request), `${means} ${value}`)
    if (retryAfterSeconds > 0) throw RateLimited({ retryAfterSeconds, of: 'credentials' })
    this.record(attempt, Unauthorized.code)
    throw Unauthorized({ message })
  }

  record({ request, means }: Attempt, code: string): void {
    this.#parts.onRefused({ address: this.#addressOf(request), means, code })
  }

  #reasonFor({ means, value }: Attempt): string {
    const ended = means === 'jwt' ? endedAt(value, this.#parts.clock) : undefined
    return ended === undefined ? `The ${NAMES[means]} is not valid. ${WAYS_IN}` : `The session token expired at ${ended}.`
  }
}
