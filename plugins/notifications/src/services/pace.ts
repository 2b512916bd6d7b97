import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { config } from '../config.ts'

/** How many notifications a tenant has sent within the minute, and how many alerts were held back since one went through. */
export interface Pace {
  /** Whether one more may go; if so, how many were held back before it. */
  take(tenantId: string, kind: 'message' | 'alert', now: Date): { readonly heldBack: number } | undefined
}
export const pace = defineService<Pace>('notifications.pace', 'process')

interface Window {
  minute: number
  count: number
  heldBack: number
}

/** Beyond so many the one that was quiet longest begins anew. */
const MAX_WINDOWS = 10_000
const MINUTE_MS = 60_000

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
