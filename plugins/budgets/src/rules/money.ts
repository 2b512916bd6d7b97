import { NANOS_PER_USD } from '../schema.ts'

/** The nearest integer: a price of at most three decimals gives one, up to the error of a float. */
export const nanosOf = (usd: number): number => Math.round(usd * NANOS_PER_USD)

export const usdOf = (nanos: number): number => nanos / NANOS_PER_USD
