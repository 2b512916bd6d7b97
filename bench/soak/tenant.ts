/** Records that a tenant was told are kept, with the state in which each was left. */
export interface Ledger {
  /** Tasks by id: done, or open. */
  readonly tasks: Map<string, 'open' | 'done'>
  readonly messages: Set<string>
  /** Texts by the tool that keeps them. */
  readonly kept: Map<string, Set<string>>
}

export interface SoakTenant {
  readonly tenantId: string
  readonly apiKey: string
  /** A word that stands in every text that the tenant writes, and in none of another's. */
  readonly mark: string
  readonly isNoisy: boolean
  readonly ledger: Ledger
}

export const newLedger = (): Ledger => ({ tasks: new Map(), messages: new Set(), kept: new Map() })

/** Length is fixed, so that no mark is the beginning of another. */
export const markOf = (n: number): string => `soakmark${String(n).padStart(5, '0')}`
const MARKS = /soakmark\d{5}/g

export function foreignMarks(text: string, own: string): readonly string[] {
  return [...new Set(text.match(MARKS) ?? [])].filter((mark) => mark !== own)
}
