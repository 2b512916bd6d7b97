import { setTimeout } from 'node:timers/promises'
import type { CallContext } from '@gateway/sdk'
import type { HealthFigures } from '../api.ts'

type Figures = Readonly<Record<string, unknown>>
const NAMES = ['vectors', 'schedules', 'providers', 'channels', 'repos'] as const
type ByName = Record<(typeof NAMES)[number], Figures | null>

const MAX_WAIT_MS = 3_000

/** What families say of themselves; one that fails or hangs is unknown, and the others are shown. */
export async function figuresByName(contributed: readonly HealthFigures[], { log }: CallContext): Promise<ByName> {
  const known = new Map<string, Figures | null>()
  const late = new AbortController()
  const over = setTimeout(MAX_WAIT_MS, null, { signal: late.signal }).catch(() => null)
  await Promise.all(
    contributed.map(async ({ name, figures }) => {
      try {
        known.set(name, await Promise.race([figures(), over]))
      } catch (error) {
        log.warn('figures left out', { name, err: error })
      }
    }),
  )
  late.abort()
  return Object.fromEntries(NAMES.map((name) => [name, known.get(name) ?? null])) as ByName
}
