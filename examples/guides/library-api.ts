import { defineContribution, defineEvent, defineService, Type } from '@gateway/sdk'

export interface Library {
  /** Who has the book, or undefined. */
  borrower(title: string): Promise<string | undefined>
}
export const library = defineService<Library>('library.books')

/** Told after a book was lent. */
export const bookLent = defineEvent('library.lent', Type.Object({ title: Type.String(), to: Type.String() }))

/** Asked before a book is lent: a reason why not, or undefined. */
export interface LendingRule {
  objection(title: string, to: string): Promise<string | undefined>
}
export const lendingRule = defineContribution<LendingRule>('library.lending-rule')
