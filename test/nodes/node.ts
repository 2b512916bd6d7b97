import { closed, defineCollection, defineJob, definePlugin, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { serveOnDemand } from '../crash/gateway/serve-on-demand.ts'
import { clockOf } from './stepping-clock.ts'

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

// A gateway of several on the database in MONGODB_URL.
serveOnDemand([...standardPlugins, beat], clockOf)
