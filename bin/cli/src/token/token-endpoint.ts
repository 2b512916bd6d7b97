import { CommandError, EXIT } from '@gateway/sdk/command'
import { notReached } from '@gateway/stdio-bridge/not-reached'

/** Id by which every gateway knows its command line. */
export const CLIENT_ID = 'gateway-cli'
const TIMEOUT_MS = 10_000

export type Answer = Readonly<Record<string, unknown>>
/** A successful answer of the token endpoint (RFC 6749, 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

/** Sends a form to an OAuth endpoint of the service. Throws only if there is no answer. */
export async function postForm(
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: number; answer: Answer }> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer: unknown = await response.json().catch(() => undefined)
    const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    return { status: response.status, answer: isObject ? (answer as Answer) : {} }
  } catch (error) {
    throw Object.assign(new CommandError(EXIT.unreachable, notReached(url, error)), { cause: error })
  }
}
