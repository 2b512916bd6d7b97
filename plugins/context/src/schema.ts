import { closed, type Infer, Type } from '@gateway/sdk'

/** Up to so many milliseconds; the last one is for all that took longer. */
export const DURATIONS = [5, 10, 25, 50, 100, 250, 500, 1_000] as const

/**
 * Boots of one repo by one tool, or of one user: in a month (`2026-11`) or in all time (`all`). Sums only, so that a figure costs the
 * same after a million boots.
 */
export const Meter = Type.Object(
  {
    meterId: Type.String(),
    kind: Type.Enum(['repo', 'user']),
    period: Type.String(),
    /** Of a repo’s. */
    repo: Type.Optional(Type.String()),
    tool: Type.Optional(Type.String()),
    /** Of a user’s. */
    userId: Type.Optional(Type.String()),
    boots: Type.Integer(),
    coldCharacters: Type.Integer(),
    servedCharacters: Type.Integer(),
    /** Of each boot by itself: one that told more than there was to read saved nothing, and takes nothing from the others. */
    savedCharacters: Type.Integer(),
    milliseconds: Type.Integer(),
    maxMilliseconds: Type.Integer(),
    d0: Type.Integer(),
    d1: Type.Integer(),
    d2: Type.Integer(),
    d3: Type.Integer(),
    d4: Type.Integer(),
    d5: Type.Integer(),
    d6: Type.Integer(),
    d7: Type.Integer(),
    d8: Type.Integer(),
  },
  closed,
)
export type Meter = Infer<typeof Meter>
export const BUCKETS = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8'] as const
