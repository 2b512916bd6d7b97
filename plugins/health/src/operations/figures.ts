import type { CallContext } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import type { HealthFigures } from '../api.ts'

type Figures = Readonly<Record<string, unknown>>
const NAMES = ['vectors', 'schedules', 'providers', 'channels', 'repos'] as const
type ByName = Record<(typeof NAMES)[number], Figures | null>

const MAX_WAIT_MS = 3_000

/** Figures of families; a source that fails or hangs is unknown, and the others are shown. */
export async function figuresByName(contributed: readonly HealthFigures[], { log }: CallContext): Promise<ByName> {
  const known = new Map<string, Figures | null>()
  await Promise.all(
    contributed.map(async ({ name, figures }) => {
      try {
        known.set(name, await within<Figures | null>(figures(), MAX_WAIT_MS, null))
      } catch (error) {
        log.warn('figures left out', { name, err: error })
      }
    }),
  )
  return Object.fromEntries(NAMES.map((name) => [name, known.get(name) ?? null])) as ByName
}
