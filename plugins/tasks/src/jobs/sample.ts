import { defineJob } from '@gateway/sdk'
import { samples, tasks } from '../collections.ts'
import { SAMPLE_SECONDS, sampleTime } from '../rules/trend.ts'
import { figuresOf } from '../services/figures.ts'

/** Keeps the counts of the queue for its trend. A tenant without tasks gets none. */
export const sample = defineJob('tasks.sample', {
  everySeconds: SAMPLE_SECONDS,
  activeTenantsOnly: true,
  uses: { tasks, samples },
  async run({ tasks, samples }, ctx): Promise<void> {
    if ((await tasks.count({}, { max: 1 })) === 0) return
    const { pending, working, review, blocked, dead_letter } = (await figuresOf(tasks).byStatus()).counts
    const counts = { pending, working, review, blocked, dead_letter }
    await samples.upsert({ at: sampleTime(ctx.now()), ...counts }, { set: counts })
  },
})
