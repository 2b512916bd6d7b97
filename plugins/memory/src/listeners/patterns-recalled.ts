import { on } from '@gateway/sdk'
import { patternsRecalled } from '../operations/events.ts'
import { usePatterns } from '../operations/use-patterns.ts'
import { memoryUses } from '../operations/uses.ts'

/** A pattern that is found counts as used. */
export const countUses = on(patternsRecalled, {
  uses: memoryUses,
  async handle({ chunkIds }, uses) {
    await uses.atomically((tx) => usePatterns(chunkIds, uses, tx))
  },
})
