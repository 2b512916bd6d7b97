import { closed, defineCollection, defineJob, definePlugin, defineTool, now, Type } from '@gateway/sdk'

const visits = defineCollection('tidy.visits', {
  schema: Type.Object({ id: Type.String(), at: Type.String() }, closed),
  key: 'id',
  indexes: [{ keys: { at: 1 } }],
})

const sweep = defineJob('tidy.sweep', {
  everySeconds: 60,
  uses: { visits },
  async run({ visits }, ctx) {
    const removed = await visits.deleteMany({ at: { lt: now(-3600) } })
    if (removed > 0) ctx.log.info('old visits removed', { removed })
    return { removed }
  },
})

const visit = defineTool({
  name: 'tidy_visit',
  description: 'Note a visit. Returns its id.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object({ id: Type.String() }),
  uses: { visits },
  async handle(_, { visits }, ctx) {
    const { id } = await visits.insert({ id: ctx.newId('visit-'), at: ctx.now().toISOString() })
    return { id }
  },
})

const sweepNow = defineTool({
  name: 'tidy_sweep',
  description: 'Remove old visits now instead of in a minute. Returns their number, over all tenants the caller reaches.',
  capability: 'work',
  effect: 'destructive',
  input: Type.Object({}, closed),
  output: Type.Object({ removed: Type.Integer() }),
  uses: { sweep },
  async handle(_, { sweep }) {
    const runs = await sweep.run()
    return { removed: runs.reduce((sum, { result }) => sum + result.removed, 0) }
  },
})

export default definePlugin({
  id: 'tidy',
  sdk: '^1.0.0',
  description: 'Keeps visits for an hour.',
  collections: [visits],
  tools: [visit, sweepNow],
  jobs: [sweep],
})
