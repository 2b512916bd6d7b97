import { type MembersOf, refuseUnknown } from './members.ts'
import { type Infer, type Schema, Type } from './schema.ts'

/** Recognised by brand, not by `instanceof`: two copies of this package can be loaded in one process. */
const BRAND = Symbol.for('@gateway/sdk.ToolError')

/** The error record that every transport answers with. */
export interface ErrorRecord {
  readonly error: string
  readonly code: string
  readonly details?: unknown
  readonly requestId?: string
}

/** An error that a caller may see. Created by a declared error (`defineError`), never by hand. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly [BRAND] = true
  readonly code: string
  readonly status: number
  readonly details: unknown
  constructor(code: string, status: number, message: string, details?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
  }
}

/** True for a ToolError of this copy of the SDK or of another one. */
export function isToolError(error: unknown): error is ToolError {
  return typeof error === 'object' && error !== null && (error as { [BRAND]?: unknown })[BRAND] === true
}

/** Entry of an error in the error catalogue. */
export interface ErrorSpec {
  /** UPPER_SNAKE, unique in one gateway. */
  readonly code: string
  /** HTTP status, 400 to 599. */
  readonly status: number
  /** A sentence for the generated reference: when the error occurs and what to do. */
  readonly description: string
  readonly details: Schema
}

/** A declared error is also the function that creates one: `throw TaskWorking({ taskId })`. */
export interface ErrorDef<S extends Schema = Schema> extends ErrorSpec {
  (details: Infer<S>): ToolError
  readonly details: S
}

const ERROR: MembersOf<typeof defineError, 1> = { status: true, description: true, details: true, message: true }

/**
 * Declares an error of a tool. `message` says what happened and what to do next, using only the details. A tool lists the
 * errors it may throw; an undeclared one reaches the caller as INTERNAL_ERROR.
 */
export function defineError<const S extends Schema>(
  code: string,
  spec: { status: number; description: string; details: S; message: (details: Infer<S>) => string },
): ErrorDef<S> {
  refuseUnknown(`error ${code}`, spec, ERROR)
  const make = (details: Infer<S>): ToolError => new ToolError(code, spec.status, spec.message(details), details)
  return Object.assign(make, { code, status: spec.status, description: spec.description, details: spec.details })
}

const Message = Type.Object({ message: Type.String() })
const Reason = Type.Object({ message: Type.String(), field: Type.Optional(Type.String()) })
const said = (details: { message: string }): string => details.message

/** An argument is missing or wrong. Every tool may throw this and the following errors without declaring them. */
export const BadRequest = defineError('BAD_REQUEST', {
  status: 400,
  description: 'An argument is missing or wrong. `details` names the field, what was expected and what came.',
  details: Reason,
  message: said,
})
/** The record does not exist for this tenant. */
export const NotFound = defineError('NOT_FOUND', {
  status: 404,
  description: 'No such record in the caller’s tenant.',
  details: Type.Object({ what: Type.String(), id: Type.String() }),
  message: ({ what, id }) => `No ${what} with id ${JSON.stringify(id)} in this tenant.`,
})
/** The state of the record does not allow this. */
export const Conflict = defineError('CONFLICT', {
  status: 409,
  description: 'The state of the record does not allow this; read it again and decide.',
  details: Reason,
  message: said,
})
/** The caller may not do this. */
export const Forbidden = defineError('FORBIDDEN', {
  status: 403,
  description: 'The caller may not do this; the message names the missing permission and the roles that have it.',
  details: Message,
  message: said,
})
/** Something outside is missing or does not answer; `setting` names the setting that would configure it. */
export const Unavailable = defineError('UNAVAILABLE', {
  status: 503,
  description:
    'A service outside is not configured or not reachable; `setting` names it. With `retryAfterSeconds`, it may be back by then.',
  details: Type.Object({
    message: Type.String(),
    setting: Type.Optional(Type.String()),
    retryAfterSeconds: Type.Optional(Type.Integer()),
  }),
  message: said,
})

/** The operator has disabled this; `setting` names the setting that would allow it. Unlike UNAVAILABLE, a retry is pointless. */
export const SwitchedOff = defineError('SWITCHED_OFF', {
  status: 403,
  description:
    'A setting of the gateway or of a plugin prevents the action; `setting` names it. A retry fails until the operator changes it.',
  details: Type.Object({ message: Type.String(), setting: Type.Optional(Type.String()) }),
  message: said,
})

/** The client of this call cannot be asked. */
export const InputUnavailable = defineError('INPUT_UNAVAILABLE', {
  status: 422,
  description:
    'The tool must ask the caller’s client, or make it wait, but this client cannot do that; `ability` names the missing capability.',
  details: Type.Object({ ability: Type.String() }),
  message: ({ ability }) => `The call needs a client with the ability ${ability}: make it over MCP, from a client that has it.`,
})

/** Codes that need no declaration. */
export const commonErrors: readonly ErrorSpec[] = [BadRequest, NotFound, Conflict, Forbidden, Unavailable, SwitchedOff, InputUnavailable]
