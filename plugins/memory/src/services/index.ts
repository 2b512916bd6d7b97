import { provide } from '@gateway/sdk'
import { recallIndex } from '../api.ts'
import { corpusOf } from '../operations/corpus.ts'
import { memoryUses } from '../operations/uses.ts'

export const recallIndexProvider = provide(recallIndex, {
  uses: memoryUses,
  create: (uses, ctx) => ({ corpus: (name) => corpusOf(name, uses, ctx) }),
})
