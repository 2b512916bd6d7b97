import type { Clock } from '@gateway/kernel'

/**
 * Returns the expiry that an expired token claims, with any signature, for the text of a refusal. It is kept apart from the
 * verifier, which is loaded only where session tokens are in use.
 */
export function endedAt(token: string, clock: Clock): string | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown }
    return typeof exp === 'number' && exp * 1000 <= clock.now() ? new Date(exp * 1000).toISOString() : undefined
  } catch {
    return undefined
  }
}
