import type { Book } from './ledger.ts'

/**
 * The workload's data, as a pure function: each writer turns its own page step by step, so that after a power cut
 * the page must show the last acknowledged step, or the one that was being written.
 */
export interface Page {
  readonly key: string
  readonly step: number
  readonly text: string
}

export const WRITERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'pair-a', 'pair-b', 'pair-c', 'pair-d'] as const

/** A pair's page is in both books, and both change in one transaction. */
export const booksOf = (writer: string): readonly Book[] => (writer.startsWith('pair-') ? ['first', 'second'] : ['first'])

/** Inserts at the first step, deletes at the eighth, and so on; updates between grow and shrink the page. */
export function changeAt(step: number): 'insert' | 'update' | 'delete' {
  if (step % 8 === 1) return 'insert'
  return step % 8 === 0 ? 'delete' : 'update'
}

/** Returns the page after the given steps; `undefined` when it is not in the book. */
export function pageAt(key: string, step: number): Page | undefined {
  return changeAt(step) === 'delete' ? undefined : { key, step, text: textOf(key, step) }
}

export const textOf = (key: string, step: number): string => `${key} ${step}. `.repeat(10 + ((step * 37) % 400))
