import { closed, defineCollection, defineJob, definePlugin, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { openMongo } from '../../kernel/storage-mongodb/src/index.ts'
import { serveOnDemand } from '../crash/gateway/serve-on-demand.ts'

const fires = defineCollection('beat', {
  schema: Type.Object({ fireId: Type.String(), at: Type.String(), pid: Type.Integer() }, closed),
  key: 'fireId',
})

/** A job that leaves a mark at each run, on any node. */
const beat = definePlugin({
  id: 'beat',
  sdk: '^1.0.0',
  description: 'A job that leaves a mark each time it runs.',
  collections: [fires],
  jobs: [
    defineJob('beat.once', {
      everySeconds: 1,
      uses: { fires },
      async run({ fires }, ctx) {
        await fires.insert({ fireId: ctx.newId('fire-'), at: ctx.now().toISOString(), pid: process.pid })
      },
    }),
  ],
})

/** Time between two steps of a clock that steps. */
const STEP_EVERY_MS = 7_000

/** A clock that steps ahead and back by `stepMs`; nodes step at different times. */
function steppingClock(stepMs: number): { now(): number } {
  return {
    now() {
      const now = Date.now()
      return now + ((Math.floor(now / STEP_EVERY_MS + process.pid / 10) % 3) - 1) * stepMs
    },
  }
}

// A gateway of several on the database in MONGODB_URL.
serveOnDemand([...standardPlugins, beat], ({ CLOCK_STEP_MS }) => ({
  ...(CLOCK_STEP_MS !== undefined && { clock: steppingClock(Number(CLOCK_STEP_MS)) }),
  openStore: ({ settings, clock, log }) =>
    openMongo({
      url: settings.mongodbUrl as string,
      clock,
      log: { warn: (message, fields) => log.warn(fields ?? {}, message) },
      // The server of the tests is slow.
      timeoutMs: 120_000,
    }),
}))
