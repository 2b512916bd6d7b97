import { claimGate } from '@gateway/plugin-tasks/api'
import { closed, contribute, defineCollection, defineConfig, definePlugin, defineTool, Type } from '@gateway/sdk'
import { inHours, nextOpening } from './hours.ts'

const config = defineConfig(
  'claim-guard',
  Type.Object(
    {
      from: Type.Integer({ default: 0, minimum: 0, maximum: 23, description: 'Hour (UTC) from which tasks may be claimed.' }),
      until: Type.Integer({ default: 24, minimum: 1, maximum: 24, description: 'Hour (UTC) until which tasks may be claimed.' }),
    },
    closed,
  ),
)

const Stop = Type.Object({ id: Type.String(), reason: Type.String() }, closed)
/** Holds at most one document: the stop on claims, and its reason. */
const stops = defineCollection('claim-guard.stops', { schema: Stop, key: 'id' })

const stop = defineTool({
  name: 'claim_guard_stop',
  description: 'Pause all claims of tasks until claim_guard_release. Returns the reason that claimers get.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
  output: Type.Object({ reason: Type.String() }),
  uses: { stops },
  async handle({ reason }, { stops }) {
    await stops.upsert({ id: 'stop', reason }, { set: { reason } })
    return { reason }
  },
})

const release = defineTool({
  name: 'claim_guard_release',
  description: 'Resume the claims of tasks. Returns whether they were paused.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object({}, closed),
  output: Type.Object({ released: Type.Boolean() }),
  uses: { stops },
  handle: async (_, { stops }) => ({ released: (await stops.deleteOne('stop')) !== undefined }),
})

export default definePlugin({
  id: 'claim-guard',
  sdk: '^1.0.0',
  description: 'Pauses claims of tasks, by hand or outside certain hours.',
  config,
  collections: [stops],
  tools: [stop, release],
  contributes: [
    contribute(claimGate, {
      uses: { config, stops },
      create: ({ config, stops }, ctx) => ({
        async check() {
          const now = ctx.now()
          if (!inHours(now, config)) {
            const until = nextOpening(now, config).toISOString()
            return { open: false, reason: `Tasks are claimed from ${config.from} to ${config.until} o’clock UTC.`, until }
          }
          const stopped = await stops.get('stop')
          return stopped ? { open: false, reason: stopped.reason } : { open: true }
        },
      }),
    }),
  ],
})
