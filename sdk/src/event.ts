import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import { type Infer, type Schema, Type } from './schema.ts'

/** What a handler gets for an event of its own plugin. */
export interface Emitter<Payload> {
  /**
   * Tell every listener, after the change it speaks of is committed. Resolves when the event is handed over;
   * a listener that fails is logged with its plugin’s name and never fails the emitter.
   */
  emit(payload: Payload): void
}

/** “Tell me when”: owned by the plugin that lists it, heard by any. */
export interface EventRef<S extends Schema = Schema> extends Ref<'event', Emitter<Infer<S>>> {
  readonly payload: S
}

/** Declare news that this plugin emits and any plugin may hear with `on`. */
export function defineEvent<const S extends Schema>(id: string, payload: S): EventRef<S> {
  return { kind: 'event', id, payload }
}

/** What `on` makes; listed in `on` of a plugin. */
export interface Subscription {
  readonly event: EventRef
  readonly uses: Uses
  readonly handle: (payload: never, uses: never, ctx: CallContext) => Promise<void>
}

const LISTENER: MembersOf<typeof on, 1> = { uses: true, handle: true }

/** Listen to an event. The handler runs in the emitter’s tenant, as the principal `system`, after the emitting call. */
export function on<S extends Schema, const U extends Uses = Record<never, never>>(
  event: EventRef<S>,
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
