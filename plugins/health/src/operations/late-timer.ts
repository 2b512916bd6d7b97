import { setTimeout } from 'node:timers/promises'

const WAIT_MS = 10
/** A collection of garbage, or a busy moment, makes one timer late; a loop that is kept busy makes all of them. */
const SAMPLES = 3

/** How many milliseconds late a timer is: how long others wait for the event loop. */
export async function lateTimer(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < SAMPLES; i++) {
    const began = performance.now()
    await setTimeout(WAIT_MS)
    least = Math.min(least, performance.now() - began - WAIT_MS)
  }
  return Math.max(0, least)
}
