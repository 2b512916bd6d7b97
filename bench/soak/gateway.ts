import { standardPlugins } from '@gateway/standard'
import { limitHeapGrowth } from '../../bin/cli/src/heap-growth.ts'
import { serveOnDemand } from '../../test/crash/gateway/serve-on-demand.ts'

limitHeapGrowth()
/** The gateway with a clock that runs at CLOCK_SPEED times real time from CLOCK_BASE on. It continues over a restart. */
serveOnDemand(standardPlugins, ({ CLOCK_BASE = '0', CLOCK_SPEED = '1' }) => ({
  clock: { now: () => Number(CLOCK_BASE) + (Date.now() - Number(CLOCK_BASE)) * Number(CLOCK_SPEED) },
}))
