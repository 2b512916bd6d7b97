import { defineService, MINUTE_MS, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { config } from '../config.ts'

/** Counts a tenant's notifications within the minute, and the alerts held back since the last one that passed. */
export interface Pace {
  /** Permits one more, with the number held back before it; undefined otherwise. */
  take(tenantId: string, kind: 'message' | 'alert', now: Date): { readonly heldBack: number } | undefined
}
export const pace = defineService<Pace>('notifications.pace', 'process')

interface Window {
  minute: number
  count: number
  heldBack: number
}

/** Capacity; the least recently used window is evicted. */
const MAX_WINDOWS = 10_000

export const paceProvider = provideProcess(pace, {
  uses: { config },
  create({ config }) {
    const windows = new BoundedMap<string, Window>(MAX_WINDOWS)
    return {
      take(tenantId, kind, now) {
        const key = `${kind} ${tenantId}`
        const minute = Math.floor(now.getTime() / MINUTE_MS)
        const window = windows.refresh(key) ?? { minute, count: 0, heldBack: 0 }
        if (window.minute !== minute) Object.assign(window, { minute, count: 0 })
        windows.set(key, window)
        if (window.count >= config.perMinute) {
          window.heldBack++
          return undefined
        }
        window.count++
        const { heldBack } = window
        window.heldBack = 0
        return { heldBack }
      },
    }
  },
})
