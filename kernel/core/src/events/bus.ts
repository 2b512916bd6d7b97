import { alertRaised, type Plugin, type Subscription } from '@gateway/sdk'
import type { Logger } from 'pino'
import type { Relay } from '../ports/relay.ts'

interface Listener {
  readonly plugin: string
  readonly subscription: Subscription
}

export type RunListener = (listener: Listener, payload: unknown, tenantId: string) => Promise<void>

/** Delivers events to their listeners after the emitting turn. A failing listener is logged and does not affect the emitter. */
export interface EventBus {
  emit(eventId: string, payload: unknown, tenantId: string): void
  /**
   * Subscribes a transport to an event of any tenant: at once for local events, soon after for those of another node. The
   * listener must not throw.
   */
  subscribe(eventId: string, listener: (payload: unknown, tenantId: string) => void): void
  /** Resolves when every event emitted so far has been delivered. */
  drain(): Promise<void>
}

const EVENT = 'event'

export function eventBus(plugins: readonly Plugin[], log: Logger, relay: Relay, run: RunListener): EventBus {
  const listeners = new Map<string, Listener[]>()
  for (const plugin of plugins) {
    for (const subscription of plugin.on) {
      const list = listeners.get(subscription.event.id) ?? []
      listeners.set(subscription.event.id, [...list, { plugin: plugin.id, subscription }])
    }
  }
  const transportListeners = new Map<string, ((payload: unknown, tenantId: string) => void)[]>()
  const running = new Set<Promise<void>>()

  async function deliver(listener: Listener, payload: unknown, tenantId: string): Promise<void> {
    // Delivers a turn later, so that the emitting call is answered first.
    await new Promise(setImmediate)
    try {
      await run(listener, payload, tenantId)
    } catch (error) {
      log.error({ plugin: listener.plugin, event: listener.subscription.event.id, tenantId, err: error }, 'a listener failed')
    }
  }

  relay.subscribe(EVENT, ({ tenantId, data }) => {
    const { eventId, payload } = data as { eventId: string; payload: unknown }
    for (const listener of transportListeners.get(eventId) ?? []) listener(payload, tenantId)
  })

  return {
    emit(eventId, payload, tenantId) {
      // An alert is logged whether or not a plugin delivers it.
      if (eventId === alertRaised.id) log.warn({ event: eventId, tenantId, ...(payload as object) }, 'alert')
      const open = transportListeners.get(eventId)
      // Every node notifies its own clients. Plugin listeners act on data, so one node runs them.
      if (open) relay.publish({ topic: EVENT, tenantId, data: { eventId, payload } })
      for (const listener of open ?? []) listener(payload, tenantId)
      for (const listener of listeners.get(eventId) ?? []) {
        const delivery = deliver(listener, payload, tenantId)
        running.add(delivery)
        void delivery.finally(() => running.delete(delivery))
      }
    },
    subscribe(eventId, listener) {
      transportListeners.set(eventId, [...(transportListeners.get(eventId) ?? []), listener])
    },
    async drain() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
