import { setTimeout } from 'node:timers/promises'

const WAIT_MS = 10
/** A garbage collection, or a busy moment, delays one timer; a busy loop delays all of them. */
const SAMPLES = 3

/** Milliseconds that a timer is late, which is the time others wait for the event loop. */
export async function lateTimer(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < SAMPLES; i++) {
    const began = performance.now()
    await setTimeout(WAIT_MS)
    least = Math.min(least, performance.now() - began - WAIT_MS)
  }
  return Math.max(0, least)
}
