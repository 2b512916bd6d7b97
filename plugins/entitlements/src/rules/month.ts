import { startOfMonth } from '@gateway/sdk'
import type { Monthly } from './plans.ts'

export const meterId = (limit: Monthly, now: Date): string => `${now.toISOString().slice(0, 7)} ${limit}`

export function resetsAt(now: Date): string {
  const first = startOfMonth(now)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)).toISOString()
}
