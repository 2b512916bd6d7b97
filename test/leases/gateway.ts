import leases from '@gateway/plugin-leases'
import { serveOnDemand } from '../crash/gateway/serve-on-demand.ts'
import { ledger } from './ledger-plugin.ts'

/** Real milliseconds between two leaps of the clock, and the length of a leap in milliseconds. */
const LEAP_EVERY = 700
const LEAP = 20_000

/**
 * The store's clock runs at SPEED times real time, so that leases of half a minute expire while a test waits, and
 * leaps ahead now and then. It continues over a restart.
 */
serveOnDemand([leases, ledger], ({ CLOCK_BASE = '0', CLOCK_SPEED = '1' }) => ({
  clock: {
    now() {
      const passed = Date.now() - Number(CLOCK_BASE)
      return Number(CLOCK_BASE) + passed * Number(CLOCK_SPEED) + Math.floor(passed / LEAP_EVERY) * LEAP
    },
  },
}))
