import { Type } from '@gateway/sdk'

/** A number of rows as a caller may ask for it: what is more than the most is cut to it. */
export function rows(fallback: number, most: number, what: string) {
  return {
    fallback,
    schema: Type.Optional(Type.Integer({ minimum: 1, default: fallback, description: `${what}, at most ${most}; more is cut to it.` })),
    of: (asked: number = fallback): number => Math.min(asked, most),
  }
}
