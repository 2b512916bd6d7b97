import { TOKENS, type TokenTotals } from '../schema.ts'

export const NO_TOKENS: TokenTotals = { input: 0, output: 0, cacheCreate: 0, cacheRead: 0 }

/** Weight of a token in a quota, relative to input, as providers price them. */
const WEIGHTS: TokenTotals = { input: 1, output: 5, cacheCreate: 1.25, cacheRead: 0.1 }

export const weigh = (tokens: TokenTotals): number => TOKENS.reduce((sum, kind) => sum + tokens[kind] * WEIGHTS[kind], 0)

export const plus = (one: TokenTotals, other: TokenTotals, sign: 1 | -1 = 1): TokenTotals => ({
  input: one.input + sign * other.input,
  output: one.output + sign * other.output,
  cacheCreate: one.cacheCreate + sign * other.cacheCreate,
  cacheRead: one.cacheRead + sign * other.cacheRead,
})

export const isSame = (one: TokenTotals, other: TokenTotals): boolean => TOKENS.every((kind) => one[kind] === other[kind])
