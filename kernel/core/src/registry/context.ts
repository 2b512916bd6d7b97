import {
  type CallContext,
  type Capability,
  type Client,
  Forbidden,
  type Log,
  type OnBehalf,
  type Principal,
  type ToolError,
  type Via,
} from '@gateway/sdk'
import type { CallCommit } from '@gateway/storage'
import { type FairScheduler, LinkedSignal, type WaitingCall } from '@gateway/waiting'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { Unauthorized } from '../errors.ts'
import type { Call, Outcome } from '../gateway.ts'
import { newId } from '../ids.ts'
import { capabilityFor, decide, type Guarded, leastRole } from '../rights/may.ts'
import type { ShadowCounter } from '../rights/shadow.ts'
import type { Admission } from './admission.ts'
import { noClient } from './no-client.ts'
import type { Owner } from './owner.ts'
import type { TimeLimit } from './time-limits.ts'
import { UntimedClient } from './untimed-client.ts'

/** An audit record that a handler added by name. It is written if the call succeeds, or in any case with `always`. */
export interface NamedAudit {
  readonly name: string
  readonly always: boolean
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Surroundings {
  readonly clock: Clock
  readonly log: Logger
  readonly shadow: ShadowCounter
  /** Schedules long reads fairly between tenants. */
  readonly scheduler: FairScheduler
}

const NEVER = new AbortController().signal
/** Capabilities that a credential for one piece of work may use, within its operations. */
const ISSUED: readonly Capability[] = ['read', 'work']

/** The context of one call. It is a class, so that a call allocates one object and pays only for the members its handler uses. */
export class CallScope implements CallContext, WaitingCall {
  readonly principal: Principal
  readonly requestId: string
  readonly via: Via
  /** Present if all writes of the call are one commit. */
  readonly commit: CallCommit | undefined
  audits: NamedAudit[] | undefined
  replay: Pick<Outcome, 'replayed' | 'omitted'> | undefined
  isUnchanged = false
  waitedMs = 0
  admission: Admission | undefined
  #waits = 0
  #waitsSince = 0
  readonly #surroundings: Surroundings
  readonly #owner: Owner
  readonly #call: Omit<Call, 'args' | 'name'>
  #log: Log | undefined
  #instances: Map<string, unknown> | undefined
  #limit: TimeLimit | undefined
  #client: Client | undefined
  #stop: LinkedSignal | undefined

  constructor(call: Omit<Call, 'args' | 'name'>, owner: Owner, surroundings: Surroundings, commit?: CallCommit) {
    this.principal = call.principal
    this.requestId = call.requestId
    this.via = call.via
    this.#call = call
    this.#owner = owner
    this.#surroundings = surroundings
    this.commit = commit
  }

  /** Created on first access, because most calls never read it. */
  get signal(): AbortSignal {
    if (this.#limit === undefined) return this.#call.signal ?? NEVER
    this.#stop ??= new LinkedSignal(this.#call.signal)
    return this.#stop.signal
  }

  limitTo(limit: TimeLimit): void {
    this.#limit = limit
  }

  abort(reason: Error): void {
    this.#stop ??= new LinkedSignal(undefined)
    this.#stop.abort(reason)
  }

  end(): void {
    // A wait that the handler did not await.
    while (this.#waits > 0) this.resume()
    this.#limit?.free()
    this.#stop?.unlink()
  }

  /** Waits for work that has a time limit of its own. */
  outside<T>(work: Promise<T>): Promise<T> {
    return this.#limit === undefined ? work : this.#limit.outside(work)
  }

  get stopSignal(): AbortSignal | undefined {
    return this.#call.signal
  }

  get isConnected(): boolean {
    return this.#call.isConnected ?? true
  }

  pause(): void {
    this.#call.outer?.pause()
    if (++this.#waits > 1) return
    this.#waitsSince = performance.now()
    this.admission?.leave(this.tenantId)
  }

  resume(): void {
    if (this.#waits === 0) return
    this.#call.outer?.resume()
    if (--this.#waits > 0) return
    this.waitedMs += performance.now() - this.#waitsSince
    this.admission?.enterAgain(this.tenantId)
  }

  async refusal(): Promise<Error | undefined> {
    if ((await this.#call.stillAdmitted?.()) !== false) return undefined
    return Unauthorized({ message: 'The credential of this call ended while it waited.' })
  }

  async beforeEffect(): Promise<void> {
    await this.commit?.commitBeforeOutsideEffect()
  }

  changedNothing(): void {
    this.isUnchanged = true
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#surroundings.scheduler.take(this.tenantId, this.signal, work)
  }

  /** Instances of call services, so that one call has one of each. */
  get instances(): Map<string, unknown> {
    this.#instances ??= new Map()
    return this.#instances
  }

  get client(): Client {
    const { client } = this.#call
    if (client === undefined) return noClient
    this.#client ??= this.#limit === undefined ? client : new UntimedClient(client, this.#limit)
    return this.#client
  }

  /**
   * Describes a call that this one makes, traced and stopped with it, for the same caller or on behalf of another. The kind of
   * the caller stays: a timer is not a person.
   */
  asCall(name: string, args: unknown, who: Partial<OnBehalf & Pick<Principal, 'tenantId' | 'byModel'>>, signal = this.signal): Call {
    // The caller's own label does not pass to the principal that is acted for.
    const { label: _label, ...unnamed } = this.principal
    const principal = { ...(who.id === undefined ? this.principal : unnamed), ...who }
    const { progress, traceparent, isConnected, stillAdmitted } = this.#call
    const idempotencyKey = this.#owner.forwards ? this.#call.idempotencyKey : undefined
    const followed = progress && ((done: number, total?: number, message?: string): void => this.progress(done, total, message))
    const { via, requestId, client } = this
    const answered = { client, progress: followed, signal, isConnected, outer: this }
    const call = { principal, via, requestId, traceparent, name, args, idempotencyKey, ...answered }
    return stillAdmitted === undefined ? call : { ...call, stillAdmitted: () => stillAdmitted.call(this.#call) }
  }

  /** Read only by `defineRawRoute`. */
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
    if (this.principal.confinedTo !== undefined) return ISSUED.includes(capability)
    return decide(this.principal.role, capability, true, this.principal.scopes) === 'allowed'
  }

  require(capability: Capability): void {
    authorize(this.principal, { capability }, this.#owner.operation, this.#surroundings)
  }
}

/** Refuses a principal that lacks the capability. In shadow mode it logs `rbac.shadow` and lets the call pass. */
export function authorize(principal: Principal, needs: Guarded, operation: string, { shadow, log }: Surroundings): void {
  const { confinedTo } = principal
  const capability = capabilityFor(needs, principal.tenantId)
  if (confinedTo !== undefined) {
    if (Object.hasOwn(confinedTo, operation) && ISSUED.includes(capability)) return
    throw Forbidden({ message: `${operation} is not among the operations of this key.` })
  }
  const decision = decide(principal.role, capability, shadow.enforced, principal.scopes)
  if (decision === 'allowed') return
  if (decision === 'denied') throw denial(principal, needs, operation)
  shadow.count(principal, operation, capability)
  const { id, label, tenantId } = principal
  log.warn({ event: 'rbac.shadow', operation, capability, role: principal.role, principal: id, label, tenantId }, 'rbac.shadow')
}

/** The refusal of a principal that lacks the capability. */
export function denial({ role, scopes, tenantId }: Principal, needs: Guarded, operation: string): ToolError {
  const capability = capabilityFor(needs, tenantId)
  if (capability !== needs.capability && typeof needs.localOnly === 'string') return Forbidden({ message: needs.localOnly })
  const why = scopes === undefined ? `the role ${leastRole(capability)} has; the caller is ${role}` : 'the token’s scope lacks'
  return Forbidden({ message: `${operation} needs the capability ${capability}, which ${why}.` })
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
