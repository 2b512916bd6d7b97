import type { Collection, Infer } from '@gateway/sdk'
import { DIMENSIONS, memberOf, PARTIAL, type SpendRow, type sumSchema } from '../schema.ts'

/** Adds a row to the sums of its day, or takes it from them. */
export async function addUp(sums: Collection<Infer<typeof sumSchema>>, row: SpendRow, day: string, times: 1 | -1 = 1): Promise<void> {
  const { nanos, inputTokens, outputTokens } = row
  const figures = { nanos, calls: 1, inputTokens, outputTokens }
  const inc = { nanos: nanos * times, calls: times, inputTokens: inputTokens * times, outputTokens: outputTokens * times }
  for (const dimension of [...DIMENSIONS, ...PARTIAL, 'total'] as const) {
    const value = dimension === 'total' ? '' : row[memberOf(dimension)]
    if (value === undefined) continue
    await sums.upsert({ sumId: `${day} ${dimension} ${value}`, day, dimension, value, ...figures }, { inc })
  }
}
