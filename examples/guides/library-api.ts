import { defineContribution, defineEvent, defineService, Type } from '@gateway/sdk'

export interface Library {
  /** Returns the borrower, or undefined if the book is not lent. */
  borrower(title: string): Promise<string | undefined>
}
export const library = defineService<Library>('library.books')

/** Published after a book was lent. */
export const bookLent = defineEvent('library.lent', Type.Object({ title: Type.String(), to: Type.String() }))

/** Consulted before a book is lent: returns the reason for a refusal, or undefined. */
export interface LendingRule {
  objection(title: string, to: string): Promise<string | undefined>
}
export const lendingRule = defineContribution<LendingRule>('library.lending-rule')
