import { Conflict, closed, defineCollection, definePlugin, defineTool, provide, Type } from '@gateway/sdk'
import { bookLent, lendingRule, library } from './library-api.ts'

const loans = defineCollection('library.loans', {
  schema: Type.Object({ title: Type.String(), to: Type.String() }, closed),
  key: 'title',
})

const lend = defineTool({
  name: 'library_lend',
  description: 'Lend a book that is there, if no rule objects. Returns the loan.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ title: Type.String(), to: Type.String() }, closed),
  output: Type.Object({ title: Type.String(), to: Type.String() }),
  uses: { loans, bookLent, rules: lendingRule },
  async handle(loan, { loans, bookLent, rules }) {
    for (const rule of rules) {
      const objection = await rule.objection(loan.title, loan.to)
      if (objection !== undefined) throw Conflict({ message: objection })
    }
    await loans.insert(loan)
    bookLent.emit(loan)
    return loan
  },
})

export default definePlugin({
  id: 'library',
  sdk: '^1.0.0',
  description: 'Lends books.',
  collections: [loans],
  events: [bookLent],
  tools: [lend],
  provides: [provide(library, { uses: { loans }, create: ({ loans }) => ({ borrower: async (title) => (await loans.get(title))?.to }) })],
})
