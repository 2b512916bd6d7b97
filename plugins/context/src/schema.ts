import { closed, type Infer, Type } from '@gateway/sdk'

/** Upper bounds in milliseconds; the last includes all longer durations. */
export const DURATIONS = [5, 10, 25, 50, 100, 250, 500, 1_000] as const

/**
 * Boots of one repo by one tool, or of one user: in a month (`2026-11`) or in all time (`all`). It holds only sums, so that a
 * figure costs the same after a million boots.
 */
export const Meter = Type.Object(
  {
    meterId: Type.String(),
    kind: Type.Enum(['repo', 'user']),
    period: Type.String(),
    /** Present in a repo's meter. */
    repo: Type.Optional(Type.String()),
    tool: Type.Optional(Type.String()),
    /** Present in a user's meter. */
    userId: Type.Optional(Type.String()),
    boots: Type.Integer(),
    coldCharacters: Type.Integer(),
    servedCharacters: Type.Integer(),
    /** Summed per boot: a boot that sent more than there was to read saved nothing, and reduces no other. */
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
