import { DAY_MS } from '@gateway/sdk'
import type { MemoryRecord } from '../schema.ts'

const DEFAULT_CONFIDENCE = 0.5
/** Days without use after which a pattern is aging, then stale. */
const AGING_DAYS = 30
const STALE_DAYS = 90

/** Returns the value of a tag such as `category:retry`. */
export function tagged(tags: readonly string[], name: string): string | undefined {
  return tags
    .find((tag) => tag.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim()
}

/** Returns the initial counters of a pattern: it was seen once. */
export function patternOf({
  tags,
  createdAt,
}: Pick<MemoryRecord, 'tags' | 'createdAt'>): Required<Pick<MemoryRecord, 'confidence' | 'usageCount' | 'lastUsedAt' | 'strength'>> {
  const said = Number(tagged(tags, 'confidence') ?? Number.NaN)
  const confidence = said >= 0 && said <= 1 ? said : DEFAULT_CONFIDENCE
  return { confidence, usageCount: 1, lastUsedAt: createdAt, strength: confidence }
}

export interface Staleness {
  readonly daysSinceUse: number
  readonly staleness: 'fresh' | 'aging' | 'stale'
}
export function stalenessOf(lastUsedAt: string, now: Date): Staleness {
  const daysSinceUse = Math.max(0, Math.floor((now.getTime() - Date.parse(lastUsedAt)) / DAY_MS))
  return { daysSinceUse, staleness: daysSinceUse >= STALE_DAYS ? 'stale' : daysSinceUse >= AGING_DAYS ? 'aging' : 'fresh' }
}
