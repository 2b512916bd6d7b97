import { alertRaised, type Plugin, type Subscription } from '@gateway/sdk'
import type { Logger } from 'pino'

interface Listener {
  readonly plugin: string
  readonly subscription: Subscription
}

/** Runs a listener with its refs resolved for a tenant. */
export type RunListener = (listener: Listener, payload: unknown, tenantId: string) => Promise<void>

/** Hands events to their listeners after the emitting turn. A listener’s failure is logged, never the emitter’s. */
export interface EventBus {
  emit(eventId: string, payload: unknown, tenantId: string): void
  /** For the kernel’s faces: heard at once, of any tenant. The listener must not throw. */
  hear(eventId: string, listener: (payload: unknown, tenantId: string) => void): void
  /** Resolves when every event handed over so far has been heard. */
  drain(): Promise<void>
}

export function eventBus(plugins: readonly Plugin[], log: Logger, run: RunListener): EventBus {
  const listeners = new Map<string, Listener[]>()
  for (const plugin of plugins) {
    for (const subscription of plugin.on) {
      const list = listeners.get(subscription.event.id) ?? []
      listeners.set(subscription.event.id, [...list, { plugin: plugin.id, subscription }])
    }
  }
  const faces = new Map<string, ((payload: unknown, tenantId: string) => void)[]>()
  const running = new Set<Promise<void>>()

  async function hear(listener: Listener, payload: unknown, tenantId: string): Promise<void> {
    // A turn later, so that the emitting call is answered first.
    await new Promise(setImmediate)
    try {
      await run(listener, payload, tenantId)
    } catch (error) {
      log.error({ plugin: listener.plugin, event: listener.subscription.event.id, tenantId, err: error }, 'a listener failed')
    }
  }

  return {
    emit(eventId, payload, tenantId) {
      // An alert is worth a log line whether or not a plugin delivers it.
      if (eventId === alertRaised.id) log.warn({ event: eventId, tenantId, ...(payload as object) }, 'alert')
      for (const listener of faces.get(eventId) ?? []) listener(payload, tenantId)
      for (const listener of listeners.get(eventId) ?? []) {
        const heard = hear(listener, payload, tenantId)
        running.add(heard)
        void heard.finally(() => running.delete(heard))
      }
    },
    hear(eventId, listener) {
      faces.set(eventId, [...(faces.get(eventId) ?? []), listener])
    },
    async drain() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
