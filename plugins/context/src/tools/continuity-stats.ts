import { closed, defined, defineTool, repoText, Type } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { figuresOf, sumBoots } from '../operations/sum-boots.ts'
import { ALL_TIME, monthOf, quantile, tokens } from '../rules/meter.ts'

const counts = { boots: Type.Integer(), tokensSaved: Type.Integer({ description: 'Estimated.' }) }
const period = Type.Object({ ...counts, byTool: Type.Record(Type.String(), Type.Object(counts, closed)) }, closed)

export const continuityStats = defineTool({
  name: 'continuity_stats',
  description:
    'Show what sessions saved by starting with a bundle, of one repo or of all: boots and estimated tokens, this month and in total, by the tool that served them. Returns {monthToDate, allTime, coldStart, timeToContext}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ repo: Type.Optional(repoText(1_000, { description: 'Name of the repo.' })) }, closed),
  output: Type.Object(
    {
      repo: Type.Optional(Type.String()),
      monthToDate: period,
      allTime: period,
      coldStart: Type.Object(
        {
          boots: Type.Integer(),
          coldTokens: Type.Integer({ description: 'Average that a session reads at its start without a bundle.' }),
          bootTokens: Type.Integer({ description: 'Average length of a bundle.' }),
          savedPercent: Type.Number(),
        },
        closed,
      ),
      timeToContext: Type.Object(
        { boots: Type.Integer(), averageMs: Type.Number(), p50Ms: Type.Number(), p95Ms: Type.Number(), maxMs: Type.Number() },
        closed,
      ),
    },
    closed,
  ),
  uses: { meters },
  async handle({ repo }, { meters }, ctx) {
    const [month, all] = await Promise.all([sumBoots(meters, monthOf(ctx.now()), repo), sumBoots(meters, ALL_TIME, repo)])
    const { boots, coldCharacters, servedCharacters, savedCharacters, milliseconds, maxMilliseconds, buckets } = all.total
    const mean = (sum: number): number => (boots === 0 ? 0 : sum / boots)
    return {
      ...defined({ repo }),
      monthToDate: figuresOf(month),
      allTime: figuresOf(all),
      coldStart: {
        boots,
        coldTokens: tokens(mean(coldCharacters)),
        bootTokens: tokens(mean(servedCharacters)),
        savedPercent: coldCharacters === 0 ? 0 : Math.round((1_000 * savedCharacters) / coldCharacters) / 10,
      },
      timeToContext: {
        boots,
        averageMs: Math.round(mean(milliseconds)),
        p50Ms: quantile(buckets, 0.5, maxMilliseconds),
        p95Ms: quantile(buckets, 0.95, maxMilliseconds),
        maxMs: maxMilliseconds,
      },
    }
  },
})
