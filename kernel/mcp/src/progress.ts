import { isObject, type Params } from './jsonrpc.ts'
import type { Notification } from './notification.ts'

export type ReportProgress = (progress: number, total?: number, message?: string) => void

export function progressToken(params: Params): string | number | undefined {
  const meta = params._meta
  const token = isObject(meta) ? meta.progressToken : undefined
  return typeof token === 'string' || Number.isSafeInteger(token) ? (token as string | number) : undefined
}

/** Turns a call's progress into notifications. Reports that do not advance are dropped, as the protocol demands. */
export function progressReporter(progressToken: string | number, notify: (notification: Notification) => void): ReportProgress {
  let last = Number.NEGATIVE_INFINITY
  return (progress, total, message) => {
    if (!(progress > last) || !Number.isFinite(progress)) return
    last = progress
    notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } })
  }
}
