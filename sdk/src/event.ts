import type { Transaction } from './collection/transaction.ts'
import type { CallContext } from './context.ts'
import { defineContribution } from './contribution.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import { closed } from './objects.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import { type Infer, type ObjectSchema, type Schema, Type } from './schema.ts'

/** What a handler gets for an event of its own plugin. */
export interface Emitter<Payload> {
  /**
   * Tell every listener, after the change it speaks of is committed. Resolves when the event is handed over;
   * a listener that fails is logged with its plugin’s name and never fails the emitter.
   */
  emit(payload: Payload): void
}

/** What a handler gets for a public event of its own plugin. */
export interface PublicEmitter<Payload> {
  /**
   * Within the change it speaks of: whoever delivers it to the outside keeps it in the same transaction, so that it is
   * told if and only if the change is made. Listeners hear of it once `tx` is committed.
   */
  emit(payload: Payload, tx: Transaction): Promise<void>
}

/** “Tell me when”: owned by the plugin that lists it, heard by any. */
export interface EventRef<S extends Schema = Schema, E = Emitter<Infer<S>>> extends Ref<'event', E> {
  readonly payload: S
  /** Of a public event: what it tells those outside who subscribe to it. */
  readonly public?: string
}
/** An event that tenants may have delivered to the outside. */
export interface PublicEventRef<S extends Schema = Schema> extends EventRef<S, PublicEmitter<Infer<S>>> {
  readonly public: string
}

/**
 * Declare public news: with `public`, a sentence that says what it tells, tenants may subscribe to it from outside. The payload is then
 * a promise to strangers, and holds ids and short texts, no secret, and nothing that a member of the tenant may not read.
 */
export function defineEvent<const S extends ObjectSchema>(id: string, payload: S, options: { readonly public: string }): PublicEventRef<S>
/** Declare news that this plugin emits and any plugin may hear with `on`. */
export function defineEvent<const S extends Schema>(id: string, payload: S): EventRef<S>
export function defineEvent(id: string, payload: Schema, options?: { readonly public: string }): EventRef<Schema, unknown> {
  return { kind: 'event', id, payload, ...(options && { public: options.public }) }
}

/** A public event on its way. */
export interface RecordedEvent {
  readonly event: string
  readonly payload: object
}
/** Keeps public events for those who subscribed to them, in the transaction of the change they tell of. */
export interface EventRecorder {
  /** Called for each, on the path of the change: at most a few reads by key where nobody has subscribed. */
  record(recorded: RecordedEvent, tx: Transaction): Promise<void>
}
/** Deliver public events to the outside. */
export const eventRecorder = defineContribution<EventRecorder>('gateway.event-recorder')

/** What `on` makes; listed in `on` of a plugin. */
export interface Subscription {
  readonly event: EventRef<Schema, unknown>
  readonly uses: Uses
  readonly handle: (payload: never, uses: never, ctx: CallContext) => Promise<void>
}

const LISTENER: MembersOf<typeof on, 1> = { uses: true, handle: true }

/** Listen to an event. The handler runs in the emitter’s tenant, as the principal `system`, after the emitting call. */
export function on<S extends Schema, const U extends Uses = Record<never, never>>(
  event: EventRef<S, unknown>,
  spec: { uses?: U; handle: (payload: Infer<S>, uses: Resolved<U>, ctx: CallContext) => Promise<void> },
): Subscription {
  refuseUnknown(`on ${event?.id}`, spec, LISTENER)
  return { event, uses: spec.uses ?? {}, handle: spec.handle as Subscription['handle'] }
}

/** Something an operator should hear of now. Any plugin may emit it; the kernel logs it, notification plugins deliver it. */
export const alertRaised = defineEvent(
  'gateway.alert',
  Type.Object({
    level: Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error'), Type.Literal('critical')]),
    /** What raised it: `tasks.bulk-block`, `health.deep` … */
    source: Type.String(),
    title: Type.String(),
    message: Type.String(),
  }),
)

/** Something worth a word to whoever has the dashboard open, in the emitter’s tenant. Nobody is told of it later. */
export const newsTold = defineEvent(
  'gateway.news',
  Type.Object(
    {
      title: Type.String(),
      text: Type.Optional(Type.String()),
      tone: Type.Enum(['info', 'good', 'warn', 'bad']),
      /** A page of the dashboard, with its parameters filled in: `/tasks/t-1`. */
      path: Type.Optional(Type.String()),
    },
    closed,
  ),
)

/**
 * A tenant has made a call that may change something, for the first time ever, or since a gateway was started: a listener hears of
 * each tenant at least once.
 */
export const tenantBegan = defineEvent('gateway.tenant-began', Type.Object({}))

/** A resource’s contents changed: clients that subscribed to its URI, in the emitter’s tenant, are told. */
export const resourceUpdated = defineEvent('gateway.resource-updated', Type.Object({ uri: Type.String() }))

/** A list that MCP clients were given has changed for the emitter’s tenant. */
export const listChanged = defineEvent(
  'gateway.list-changed',
  Type.Object({ list: Type.Union([Type.Literal('tools'), Type.Literal('prompts'), Type.Literal('resources')]) }),
)
