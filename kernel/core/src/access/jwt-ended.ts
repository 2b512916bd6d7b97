import type { Clock } from '../clock.ts'

/**
 * When the token says that its time was over, whoever signed it: for the sentence of a refusal. Apart from what verifies tokens, which
 * is loaded only where sessions are in use.
 */
export function endedAt(token: string, clock: Clock): string | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown }
    return typeof exp === 'number' && exp * 1000 <= clock.now() ? new Date(exp * 1000).toISOString() : undefined
  } catch {
    return undefined
  }
}
