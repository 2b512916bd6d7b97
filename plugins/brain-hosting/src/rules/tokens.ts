import { matches, newSecret } from '@gateway/sdk/secrets'

const TOKEN = /^gwb_[A-Za-z0-9_-]{43}$/
/** Maximum number of tokens that are valid at the same time. */
export const MAX_TOKENS = 5

export const newToken = (): string => `gwb_${newSecret()}`

export const isTokenOf = (token: string, hashes: readonly string[]): boolean =>
  TOKEN.test(token) && hashes.some((hash) => matches(token, hash))
