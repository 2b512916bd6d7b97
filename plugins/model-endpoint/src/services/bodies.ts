import { defineService, provideProcess } from '@gateway/sdk'

/** Bodies in memory, all tenants together; more wait for nothing and are refused. */
const MAX_BYTES = 268_435_456

/** Counts the bytes of the bodies that are being served. */
export interface Bodies {
  /** False if the bodies would have more bytes than the process has room for. */
  take(bytes: number): boolean
  give(bytes: number): void
}
export const bodies = defineService<Bodies>('model-endpoint.bodies', 'process')

export const bodiesProvider = provideProcess(bodies, {
  create() {
    let held = 0
    return {
      take(bytes) {
        if (held + bytes > MAX_BYTES) return false
        held += bytes
        return true
      },
      give: (bytes) => void (held -= bytes),
    }
  },
})
