import { type CallContext, type Capability, type Client, Forbidden, type Log, type OnBehalf, type Principal, type Via } from '@gateway/sdk'
import type { Logger } from 'pino'
import { decide, holds, leastRole } from '../access/may.ts'
import type { ShadowCounter } from '../access/shadow.ts'
import type { Clock } from '../clock.ts'
import type { Call } from '../gateway.ts'
import { newId } from '../ids.ts'
import { LinkedSignal } from '../linked-signal.ts'
import { noClient } from './no-client.ts'
import { PatientClient } from './patient-client.ts'
import type { TimeLimit } from './time-limits.ts'
import type { Turns } from './turns.ts'

/** A named audit record a handler asked for; written if its call succeeds, or `always`. */
export interface NamedAudit {
  readonly name: string
  readonly always: boolean
  readonly details?: Readonly<Record<string, unknown>>
}

/** What every context shares. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Logger
  readonly shadow: ShadowCounter
  /** Whose turn it is to read much. */
  readonly turns: Turns
}

const NEVER = new AbortController().signal

/** The context of one call. A class, so that a call allocates one object and pays only for what its handler touches. */
export class CallScope implements CallContext {
  readonly principal: Principal
  readonly requestId: string
  readonly via: Via
  audits: NamedAudit[] | undefined
  readonly #surroundings: Surroundings
  readonly #owner: { readonly plugin: string; readonly operation: string }
  readonly #call: Omit<Call, 'args' | 'name'>
  #log: Log | undefined
  #instances: Map<string, unknown> | undefined
  #limit: TimeLimit | undefined
  #client: Client | undefined
  #stop: LinkedSignal | undefined

  constructor(call: Omit<Call, 'args' | 'name'>, owner: { plugin: string; operation: string }, surroundings: Surroundings) {
    this.principal = call.principal
    this.requestId = call.requestId
    this.via = call.via
    this.#call = call
    this.#owner = owner
    this.#surroundings = surroundings
  }

  /** Read when asked for: a face makes the signal then, and most calls never ask. */
  get signal(): AbortSignal {
    if (this.#limit === undefined) return this.#call.signal ?? NEVER
    this.#stop ??= new LinkedSignal(this.#call.signal)
    return this.#stop.signal
  }

  /** From now on the call has a time limit. */
  limitTo(limit: TimeLimit): void {
    this.#limit = limit
  }

  /** The time is over: whoever listens is told. */
  abort(reason: Error): void {
    this.#stop ??= new LinkedSignal(undefined)
    this.#stop.abort(reason)
  }

  /** The call has ended. */
  end(): void {
    this.#limit?.free()
    this.#stop?.unlink()
  }

  /** Waits for work that has a time limit of its own. */
  outside<T>(work: Promise<T>): Promise<T> {
    return this.#limit === undefined ? work : this.#limit.outside(work)
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#surroundings.turns.take(this.tenantId, this.signal, work)
  }

  /** Instances of call services, so that one call has one of each. */
  get instances(): Map<string, unknown> {
    this.#instances ??= new Map()
    return this.#instances
  }

  get client(): Client {
    const { client } = this.#call
    if (client === undefined) return noClient
    this.#client ??= this.#limit === undefined ? client : new PatientClient(client, this.#limit)
    return this.#client
  }

  /** A call that this one makes, followed and stopped with it: of the same caller, or for another. Its kind stays: a timer is no person. */
  asCall(name: string, args: unknown, who: Partial<OnBehalf & { tenantId: string }>, signal = this.signal): Call {
    // Another’s name does not go with who it is called for.
    const { label: _label, ...unnamed } = this.principal
    const principal = { ...(who.id === undefined ? this.principal : unnamed), ...who }
    const { progress, traceparent } = this.#call
    const followed = progress && ((done: number, total?: number, message?: string): void => this.progress(done, total, message))
    const { via, requestId, client } = this
    return { principal, via, requestId, client, progress: followed, signal, traceparent, name, args }
  }

  /** Read by `defineRawRoute` alone. */
  get exchange(): Call['exchange'] {
    return this.#call.exchange
  }

  get tenantId(): string {
    return this.principal.tenantId
  }

  get log(): Log {
    const { id: principal, label } = this.principal
    const caller = { tenantId: this.tenantId, principal, ...(label !== undefined && { label }), requestId: this.requestId }
    this.#log ??= pluginLog(this.#surroundings.log.child({ ...this.#owner, ...caller }))
    return this.#log
  }

  now(): Date {
    return new Date(this.#surroundings.clock.now())
  }

  newId(prefix: string): string {
    return newId(prefix, this.#surroundings.clock.now())
  }

  progress(done: number, total?: number, message?: string): void {
    this.#limit?.renew()
    this.#call.progress?.(done, total, message)
  }

  audit(name: string, details?: Readonly<Record<string, unknown>>, { always = false }: { readonly always?: boolean } = {}): void {
    this.audits ??= []
    this.audits.push(details === undefined ? { name, always } : { name, always, details })
  }

  holds(capability: Capability): boolean {
    return holds(this.principal.role, capability)
  }

  require(capability: Capability): void {
    authorize(this.principal, capability, this.#owner.operation, this.#surroundings)
  }
}

/** Refuses a principal that lacks the capability; in shadow mode logs `rbac.shadow` and lets it pass. */
export function authorize(principal: Principal, capability: Capability, operation: string, { shadow, log }: Surroundings): void {
  const decision = decide(principal.role, capability, shadow.enforced)
  if (decision === 'allowed') return
  const role = leastRole(capability)
  if (decision === 'denied') {
    throw Forbidden({
      message: `${operation} needs the capability ${capability}, which the role ${role} has; the caller is ${principal.role}.`,
    })
  }
  shadow.count(principal, operation, capability)
  const { id, label, tenantId } = principal
  log.warn({ event: 'rbac.shadow', operation, capability, role: principal.role, principal: id, label, tenantId }, 'rbac.shadow')
}

/** pino takes fields first; the contract takes the message first. */
export function pluginLog(log: Logger): Log {
  return {
    debug: (message, fields) => log.debug(fields ?? {}, message),
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, fields) => log.error(fields ?? {}, message),
  }
}
