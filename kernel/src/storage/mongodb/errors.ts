import { isToolError, Unavailable } from '@gateway/sdk'
import { MongoError, MongoNetworkError, MongoNotConnectedError, MongoServerSelectionError } from 'mongodb'
import { OutOfTime } from '../../boot/time-limit.ts'

const AUTHENTICATION_FAILED: ReadonlySet<unknown> = new Set([13, 18, 8000])

/** What keeps the gateway from starting, as a sentence an operator can act on. Never shows the URL: it holds a password. */
export function startFailure(error: unknown, hosts: string): Error {
  const said = error instanceof Error ? error.message : String(error)
  const code = (error as { code?: unknown }).code
  if (AUTHENTICATION_FAILED.has(code) || /authentication failed/i.test(said))
    return new Error(`MongoDB at ${hosts} refused the credentials in MONGODB_URL (${said}).`, { cause: error })
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError)
    return new Error(`MongoDB at ${hosts}, which MONGODB_URL names, cannot be reached: ${said}`, { cause: error })
  return new Error(`MongoDB at ${hosts} could not be opened: ${said}`, { cause: error })
}

/** An election takes some seconds, a restart too. */
const RETRY_AFTER_SECONDS = 5

/** A store that cannot answer is UNAVAILABLE; refusals of the contract pass as they are. */
export function storeError(error: unknown): unknown {
  if (error instanceof OutOfTime) return unanswered(error)
  if (isToolError(error) || !(error instanceof MongoError)) return error
  const lost = error instanceof MongoNetworkError || error instanceof MongoServerSelectionError || error instanceof MongoNotConnectedError
  if (!lost && (error as { code?: unknown }).code !== undefined) return error
  return unanswered(error)
}

/** What a caller is told of a store that does not answer. */
function unanswered(cause: unknown): Error {
  // What the driver says names the server’s address, which is no caller’s business: it is the cause, and goes to the log.
  const failure = Unavailable({
    message: 'The store does not answer.',
    setting: 'MONGODB_URL',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
  failure.cause = cause
  return failure
}
