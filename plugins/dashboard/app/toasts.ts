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

const MOST = 4
const SHOWN_MS = 8_000
let said = 0

/** Shows a message for a while. A failure stays until it is closed. */
export function say(toast: Toast): void {
  const id = ++said
  toasts.value = [...toasts.value, { ...toast, id }].slice(-MOST)
  if (toast.tone !== 'bad' || toast.passing) setTimeout(() => unsay(id), SHOWN_MS)
}

export function unsay(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
