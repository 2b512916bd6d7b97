import { readFileSync } from 'node:fs'
import { PriceTable } from '../rules/price-table.ts'

/** Reads a table of prices. The start fails with the setting and the place in the file if there is a fault. */
export function readPrices(file: string): PriceTable {
  try {
    return new PriceTable(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Error(`priceFile ${file} cannot be used: ${(error as Error).message}`)
  }
}
