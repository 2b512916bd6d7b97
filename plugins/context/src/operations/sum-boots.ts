import { type Collection, defined, type Filter, type Group } from '@gateway/sdk'
import { tokens } from '../rules/meter.ts'
import { BUCKETS, type Meter } from '../schema.ts'

const SUMS = ['boots', 'coldCharacters', 'servedCharacters', 'savedCharacters', 'milliseconds', ...BUCKETS] as const

export interface Sums {
  readonly total: Readonly<Record<(typeof SUMS)[number] | 'maxMilliseconds', number>> & { readonly buckets: readonly number[] }
  readonly byTool: readonly { readonly tool: string; readonly boots: number; readonly savedCharacters: number }[]
}

/** Adds up the meters of a period, for one repo or all. The cost grows with repos and tools, not with boots. */
export async function sumBoots(meters: Collection<Meter>, period: string, repo?: string): Promise<Sums> {
  const where: Filter<Meter> = { kind: 'repo', period, ...defined({ repo }) }
  const groups = await meters.group({ where, by: ['tool'], sum: SUMS })
  const [longest] = (await meters.find({ where, sort: { maxMilliseconds: -1 }, limit: 1 })).items
  const sum = (of: (typeof SUMS)[number]): number => groups.reduce((total, { sums }) => total + (sums[of] ?? 0), 0)
  const totals = Object.fromEntries(SUMS.map((of) => [of, sum(of)])) as Record<(typeof SUMS)[number], number>
  return {
    total: { ...totals, maxMilliseconds: longest?.maxMilliseconds ?? 0, buckets: BUCKETS.map((bucket) => sum(bucket)) },
    byTool: groups.map(toolOf).sort((a, b) => (a.tool < b.tool ? -1 : 1)),
  }
}

function toolOf({ key: [tool], sums }: Group) {
  return { tool: String(tool), boots: sums.boots ?? 0, savedCharacters: sums.savedCharacters ?? 0 }
}

export function figuresOf({ total, byTool }: Sums) {
  const one = ({ boots, savedCharacters }: { boots: number; savedCharacters: number }) => ({ boots, tokensSaved: tokens(savedCharacters) })
  return { ...one(total), byTool: Object.fromEntries(byTool.map((row) => [row.tool, one(row)])) }
}
