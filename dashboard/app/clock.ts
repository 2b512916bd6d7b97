import { signal } from '@preact/signals'

/** The time, as relative times show it. It stands still while nobody looks. */
export const now = signal(Date.now())
setInterval(() => !document.hidden && (now.value = Date.now()), 10_000)
document.addEventListener('visibilitychange', () => !document.hidden && (now.value = Date.now()))
