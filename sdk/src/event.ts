import type { Transaction } from './collection/transaction.ts'
import type { CallContext } from './context.ts'
import { defineContribution } from './contribution.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import { closed } from './objects.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import { type Infer, type ObjectSchema, type Schema, Type } from './schema.ts'

/** Emits an event of the handler's own plugin. */
export interface Emitter<Payload> {
  /**
   * Hands the event to its listeners and returns at once; they run in the background, a turn later. It knows no transaction: emit
   * after `atomically` has resolved, or in `tx.afterCommit`. The event is not stored, so it is lost if the process dies first. A
   * listener that fails is logged with its plugin's name and never fails the emitter.
   */
  emit(payload: Payload): void
}

/** Emits a public event of the handler's own plugin. */
export interface PublicEmitter<Payload> {
  /**
   * Emits within the change that it reports: a recorder stores it in the same transaction, so it is delivered if and only if
   * the change is made. Listeners receive it once `tx` is committed.
   */
  emit(payload: Payload, tx: Transaction): Promise<void>
}

/** An event, owned by the plugin that lists it; any plugin may listen. */
export interface EventRef<S extends Schema = Schema, E = Emitter<Infer<S>>> extends Ref<'event', E> {
  readonly payload: S
  /** Description of a public event for outside subscribers. */
  readonly public?: string
}
/** An event that tenants may have delivered outside. */
export interface PublicEventRef<S extends Schema = Schema> extends EventRef<S, PublicEmitter<Infer<S>>> {
  readonly public: string
}

/**
 * Declares a public event: `public` is a sentence that describes it, and tenants may subscribe from outside. The payload is a
 * promise to strangers. It holds ids and short texts, no secret, and nothing that a member of the tenant may not read. A payload that
 * contradicts the schema is delivered all the same, as with other events.
 */
export function defineEvent<const S extends ObjectSchema>(id: string, payload: S, options: { readonly public: string }): PublicEventRef<S>
/**
 * Declares an event that this plugin emits and that any plugin may listen to with `on`. While the gateway serves, a payload that contradicts
 * the schema is delivered as it is; the log has a warning for a sample of them. In tests, `startTestGateway` throws such a payload back at its emitter.
 */
export function defineEvent<const S extends Schema>(id: string, payload: S): EventRef<S>
export function defineEvent(id: string, payload: Schema, options?: { readonly public: string }): EventRef<Schema, unknown> {
  return { kind: 'event', id, payload, ...(options && { public: options.public }) }
}

/** A public event to be delivered. */
export interface RecordedEvent {
  /** The same for every recorder, so that readers of both recognise an event. */
  readonly eventId: string
  readonly event: string
  readonly payload: object
}
/** Stores public events for their subscribers, in the transaction of the reported change. */
export interface EventRecorder {
  /** Called for each event on the path of the change: at most a few reads by key if nobody has subscribed. */
  record(recorded: RecordedEvent, tx: Transaction): Promise<void>
}
/** Contributes delivery of public events to the outside. */
export const eventRecorder = defineContribution<EventRecorder>('gateway.event-recorder')

/** Returned by `on`; list it in `on` of a plugin. */
export interface Subscription {
  readonly event: EventRef<Schema, unknown>
  readonly uses: Uses
  readonly handle: (payload: never, uses: never, ctx: CallContext) => Promise<void>
}

const LISTENER: MembersOf<typeof on, 1> = { uses: true, handle: true }

/** Listens to an event. The handler runs in the emitter's tenant, as the principal `system`, after the emitting call. */
export function on<S extends Schema, const U extends Uses = Record<never, never>>(
  event: EventRef<S, unknown>,
  spec: { uses?: U; handle: (payload: Infer<S>, uses: Resolved<U>, ctx: CallContext) => Promise<void> },
): Subscription {
  refuseUnknown(`on ${event?.id}`, spec, LISTENER)
  return { event, uses: spec.uses ?? {}, handle: spec.handle as Subscription['handle'] }
}

/** Alert for the operator. Any plugin may emit it; the kernel logs it and notification plugins deliver it. */
export const alertRaised = defineEvent(
  'gateway.alert',
  Type.Object({
    level: Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error'), Type.Literal('critical')]),
    /** Source of the alert: `tasks.bulk-block`, `health.deep` … */
    source: Type.String(),
    title: Type.String(),
    message: Type.String(),
  }),
)

/** News for people who have the dashboard open, in the emitter's tenant. It is not stored. */
export const newsPosted = defineEvent(
  'gateway.news',
  Type.Object(
    {
      title: Type.String(),
      text: Type.Optional(Type.String()),
      tone: Type.Enum(['info', 'good', 'warn', 'bad']),
      /** A page of the dashboard, with its parameters filled in: `/tasks/t-1`. */
      path: Type.Optional(Type.String()),
      /** Addressee: the id of a principal or the label of its key, compared without case. Absent: everyone. */
      to: Type.Optional(Type.String()),
    },
    closed,
  ),
)

/**
 * Emitted when a tenant makes its first call that may change something, ever or since a start; a listener receives each tenant
 * at least once.
 */
export const tenantBegan = defineEvent('gateway.tenant-began', Type.Object({}))

/** Contents of a resource changed: clients that subscribed to its URI in the emitter's tenant are notified. */
export const resourceUpdated = defineEvent('gateway.resource-updated', Type.Object({ uri: Type.String() }))

/** Emitted when a list that MCP clients hold has changed for the emitter's tenant. */
export const listChanged = defineEvent(
  'gateway.list-changed',
  Type.Object({ list: Type.Union([Type.Literal('tools'), Type.Literal('prompts'), Type.Literal('resources')]) }),
)
