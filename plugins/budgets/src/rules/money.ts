import { NANOS_PER_USD } from '../schema.ts'

/** The nearest whole number: what a price of at most three decimals makes of tokens is one, beside the error of a float. */
export const nanosOf = (usd: number): number => Math.round(usd * NANOS_PER_USD)

export const usdOf = (nanos: number): number => nanos / NANOS_PER_USD
