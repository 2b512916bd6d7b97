import { signal } from '@preact/signals'
import type { Tone } from './contract.ts'

export interface Toast {
  readonly tone: Tone
  readonly title: string
  readonly text?: string
  readonly path?: string
  readonly act?: { readonly label: string; readonly run: () => void }
  /** The message disappears after a while, even a failure. */
  readonly passing?: boolean
}
/** Current messages, the newest last. */
export const toasts = signal<readonly (Toast & { readonly id: number })[]>([])

const MAX_TOASTS = 4
/** Limit of all messages, including those that do not make room for others. */
const MAX_KEPT = 12
const SHOWN_MS = 8_000
let said = 0

/** Shows a message for a while. A failure stays until it is closed. */
export function say(toast: Toast): void {
  const id = ++said
  toasts.value = withinMost([...toasts.value, { ...toast, id }])
  if (!isFailure(toast)) setTimeout(() => unsay(id), SHOWN_MS)
}

const isFailure = ({ tone, passing }: Toast): boolean => tone === 'bad' && !passing

/** News and confirmations make room for later messages; a failure or an offer, such as Undo, does not. */
function withinMost(all: typeof toasts.value): typeof toasts.value {
  if (all.length <= MAX_TOASTS) return all
  const oldest = all.slice(0, -1).findIndex((toast) => !isFailure(toast) && !toast.act)
  if (oldest >= 0) return all.filter((_, index) => index !== oldest)
  return all.slice(-MAX_KEPT)
}

export function unsay(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
