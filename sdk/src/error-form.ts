import { defineContribution } from './contribution.ts'
import type { ErrorRecord } from './error.ts'

/** A request that is answered with an error. */
export interface FailedRequest {
  /** Path without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly status: number
  readonly error: ErrorRecord
}

/**
 * Gives errors on some paths the form that the clients of another protocol expect, also those of requests that reach no route or lack a
 * credential. The status stays. One instance serves all requests, so it must not depend on a caller.
 */
export interface ErrorForm {
  /** The paths begin with it, such as `/v1/`. */
  readonly prefix: string
  /** The body of the answer, which is sent as JSON. */
  body(request: FailedRequest): object
}
/** Contributes a form of errors. The first whose prefix fits is used. */
export const errorForm = defineContribution<ErrorForm>('gateway.error-form')
