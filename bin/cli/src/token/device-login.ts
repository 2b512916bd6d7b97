import { CommandError, EXIT, isCommandError } from '@gateway/sdk/command'
import { type Answer, CLIENT_ID, type TokenAnswer } from './token-endpoint.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** RFC 8628, 3.5: the interval grows by this much for each `slow_down`. */
const SLOW_DOWN_SECONDS = 5
const LONGEST_SECONDS = 60

interface Parts {
  readonly post: (path: string, fields: Readonly<Record<string, string>>) => Promise<{ status: number; answer: Answer }>
  readonly wait: (seconds: number) => Promise<unknown>
  readonly show: (page: {
    readonly address: string
    readonly complete: string
    readonly code: string
    readonly minutes: number
  }) => Promise<void>
}

/**
 * Gets tokens by device code (RFC 8628): a person approves the code on a page of the service, and this asks until they have. It
 * slows down when it is told to, and when the service cannot be reached. Throws a CommandError for a refusal.
 */
export async function deviceLogin({ post, wait, show }: Parts, scope: string): Promise<TokenAnswer> {
  const { status, answer: begun } = await post('/oauth/device_authorization', { client_id: CLIENT_ID, scope })
  if (status === 404)
    throw new CommandError(
      EXIT.refused,
      'The service has no OAuth sign-in, because GATEWAY_PUBLIC_URL is not set there. Log in with an API key: `gateway login --key K`.',
    )
  const { device_code: deviceCode, user_code: code, verification_uri: address, verification_uri_complete: complete = address } = begun
  if (status !== 200 || typeof deviceCode !== 'string' || typeof code !== 'string' || !isPage(address) || !isPage(complete))
    throw new CommandError(EXIT.failure, `The service did not begin a login: ${reasonOf(begun, status)}`)
  const lifetime = Number(begun.expires_in) || 600
  await show({ address, complete, code, minutes: Math.ceil(lifetime / 60) })

  let interval = Number(begun.interval) || SLOW_DOWN_SECONDS
  let waited = 0
  while (waited < lifetime) {
    await wait(interval)
    waited += interval
    const asked = await post('/oauth/token', { grant_type: DEVICE_GRANT, device_code: deviceCode, client_id: CLIENT_ID }).catch(
      (error: unknown) => {
        if (isCommandError(error) && error.exitCode === EXIT.unreachable) return undefined
        throw error
      },
    )
    if (asked?.status === 200) return asked.answer as unknown as TokenAnswer
    const error = asked === undefined || asked.status === 429 || asked.status >= 500 ? 'slow_down' : asked.answer.error
    if (error === 'slow_down') interval = Math.min(interval + SLOW_DOWN_SECONDS, LONGEST_SECONDS)
    else if (error === 'access_denied') throw new CommandError(EXIT.refused, 'The login was refused in the browser.')
    else if (error === 'expired_token') break
    else if (error !== 'authorization_pending')
      throw new CommandError(EXIT.refused, `The login has failed: ${reasonOf(asked?.answer ?? {}, asked?.status ?? 0)}`)
  }
  throw new CommandError(EXIT.refused, 'The code has expired: nobody approved it in time. Run `gateway login` again.')
}

const isPage = (address: unknown): address is string => typeof address === 'string' && /^https?:\/\//.test(address) && URL.canParse(address)

const reasonOf = (answer: Answer, status: number): string => {
  const { error_description: description, error } = answer
  return typeof description === 'string' ? description : typeof error === 'string' ? error : `status ${status}`
}
