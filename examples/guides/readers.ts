import { closed, contribute, defineCollection, definePlugin, defineTool, on, Type } from '@gateway/sdk'
import { bookLent, lendingRule, library } from './library-api.ts'

const readers = defineCollection('readers', {
  schema: Type.Object({ name: Type.String(), books: Type.Integer() }, closed),
  key: 'name',
})

const who = defineTool({
  name: 'reader_of',
  description: 'Look up the reader of a book. Returns the name, or null.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ title: Type.String() }, closed),
  output: Type.Object({ reader: Type.Union([Type.String(), Type.Null()]) }),
  uses: { library },
  handle: async ({ title }, { library }) => ({ reader: (await library.borrower(title)) ?? null }),
})

export default definePlugin({
  id: 'readers',
  sdk: '^1.0.0',
  description: 'Counts what each reader reads.',
  collections: [readers],
  tools: [who],
  on: [
    on(bookLent, {
      uses: { readers },
      handle: async ({ to }, { readers }) => void (await readers.upsert({ name: to, books: 1 }, { inc: { books: 1 } })),
    }),
  ],
  contributes: [
    contribute(lendingRule, {
      uses: { readers },
      create: ({ readers }) => ({
        objection: async (_, to) => (((await readers.get(to))?.books ?? 0) >= 3 ? `${to} has three books already.` : undefined),
      }),
    }),
  ],
})
