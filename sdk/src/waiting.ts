import type { EventRef } from './event.ts'
import type { Ref } from './ref.ts'
import { type Infer, type Schema, Type } from './schema.ts'

/** The longest wait of a call in seconds, below the minute after which many clients and proxies give up. */
export const MAX_WAIT_SECONDS = 55

/** The argument `waitSeconds` of a tool that can wait. */
export const waitSeconds = Type.Integer({
  minimum: 0,
  maximum: MAX_WAIT_SECONDS,
  description: 'Wait this long if there is nothing.',
})

/** Time at which something becomes available by itself. */
export interface Due {
  /** Epoch milliseconds. */
  readonly at: number
  /** True if every waiting call is to look again then; otherwise `whenDue` emits events for what is available. */
  readonly lookAgain?: boolean
}

/** Describes what a call waits for. */
export interface Wait<Payload, Result> {
  /** Longest wait in seconds; 0 looks once. */
  readonly seconds: number
  /** Names what the call wants: calls of a tenant with equal names want the same. */
  readonly wants: string
  /** Looks for it: at once, and again when there may be something. */
  look(): Promise<Result>
  /** True if the result answers the call. The last one that does not is the answer when the time is over. */
  isAnswer(result: Result): boolean
  /** True if the event is about something that this call wants. Runs for each waiting call, so it must be quick; it must not throw. */
  concerns(payload: Payload): boolean
  /**
   * Present if one call takes what it finds, so that the calls concerned look one after the other until one finds nothing. True
   * if the result is the very thing of the event, so that no further call looks. Without it, every call concerned is answered, and
   * calls that want the same share one result.
   */
  took?(payload: Payload, result: Result): boolean
  /** Epoch milliseconds at which the thing of the event becomes available. */
  dueAt?(payload: Payload): number | undefined
  /**
   * Makes due items available and returns the next time at which one is due. It runs once for all waiting calls of the tenant:
   * when such a time has come, and at most once a second after calls found nothing.
   */
  whenDue?(): Promise<Due | undefined>
}

/** Waits for events in the caller's tenant, emitted by any node. */
export interface Waiting<Payload> {
  /**
   * Looks, and looks again after each event that concerns the call, until there is an answer or the time is over. While it waits, a
   * call reads nothing, takes no share of the calls in flight, and its time limit stands still; it reports its progress. Rejects
   * when the caller disconnects or is not admitted any more. When the gateway stops, the last result is returned.
   */
  until<Result>(wait: Wait<Payload, Result>): Promise<Result>
  /**
   * Makes the calls that wait for the event look again, because something else has changed that they depend on: those of the
   * caller's tenant, or of all tenants if the caller is `operator` or `system`.
   */
  lookAgain(): void
}

/** A token for waiting for an event. */
export interface WaitingRef<Payload> extends Ref<'waiting', Waiting<Payload>> {}

/** Lets a handler wait for an event of any plugin. */
export function waitFor<S extends Schema>(event: EventRef<S, unknown>): WaitingRef<Infer<S>> {
  return { kind: 'waiting', id: event.id }
}
