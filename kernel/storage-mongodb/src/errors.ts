import { isToolError, Unavailable } from '@gateway/sdk'
import { TimeLimitError } from '@gateway/sdk/bounds'
import { MongoError, MongoNetworkError, MongoNotConnectedError, MongoServerSelectionError } from 'mongodb'

const AUTHENTICATION_FAILED: ReadonlySet<unknown> = new Set([13, 18, 8000])

/** Describes a failure to start in a sentence that an operator can act on. Never shows the URL, which holds a password. */
export function startFailure(error: unknown, hosts: string, advice = ''): Error {
  const said = error instanceof Error ? error.message : String(error)
  const code = (error as { code?: unknown }).code
  if (AUTHENTICATION_FAILED.has(code) || /authentication failed/i.test(said))
    return new Error(`MongoDB at ${hosts} refused the credentials in MONGODB_URL (${said}).`, { cause: error })
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError)
    return new Error(`MongoDB at ${hosts}, which MONGODB_URL names, cannot be reached: ${said}${advice}`, { cause: error })
  return new Error(`MongoDB at ${hosts} could not be opened: ${said}`, { cause: error })
}

/** An election, or a restart, takes some seconds. */
const RETRY_AFTER_SECONDS = 5

/**
 * Errors of a server that changes its role, stops, or does not get a write to a majority in time: MaxTimeMSExpired,
 * WriteConcernFailed, ShutdownInProgress, WriteConflict, PrimarySteppedDown, ExceededTimeLimit, NotWritablePrimary,
 * InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const TRY_AGAIN: ReadonlySet<unknown> = new Set([50, 64, 91, 112, 189, 262, 10107, 11600, 11602, 13435, 13436])

/** A store that cannot answer becomes UNAVAILABLE; refusals of the contract pass unchanged. */
export function storeError(error: unknown): unknown {
  if (error instanceof TimeLimitError) return unanswered(error)
  if (isToolError(error) || !(error instanceof MongoError)) return error
  const lost = error instanceof MongoNetworkError || error instanceof MongoServerSelectionError || error instanceof MongoNotConnectedError
  const { code } = error as { code?: unknown }
  if (!lost && code !== undefined && !TRY_AGAIN.has(code)) return error
  return unanswered(error)
}

/** Other writers kept changing the documents of a transaction until its time was over. The server answers all the while. */
export function contended(cause: unknown): Error {
  const message = 'The store is busy: others kept changing the same documents.'
  const failure = Unavailable({ message, retryAfterSeconds: 1 })
  failure.cause = cause
  return failure
}

function unanswered(cause: unknown): Error {
  // The driver's message names the server's address, which callers must not see: it is the cause, and goes to the log.
  const failure = Unavailable({
    message: 'The store does not answer.',
    setting: 'MONGODB_URL',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
  failure.cause = cause
  return failure
}
