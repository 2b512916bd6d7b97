import { signal } from '@preact/signals'

/** True while nobody sees the page. */
export const isHidden = (): boolean => document.hidden

/** The current time for relative times. It pauses while the page is hidden. */
export const now = signal(Date.now())
setInterval(() => !document.hidden && (now.value = Date.now()), 10_000)
document.addEventListener('visibilitychange', () => !document.hidden && (now.value = Date.now()))
