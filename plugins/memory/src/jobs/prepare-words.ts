import { defineJob } from '@gateway/sdk'
import { preparationUses, prepareWords } from '../operations/prepare-words.ts'

/** Prepares stored words again after an upgrade that changed how texts are cut. Reads a single document when nothing is left to do. */
export const prepareWordsJob = defineJob('memory.prepare-words', {
  everySeconds: 3_600,
  activeTenantsOnly: true,
  uses: preparationUses,
  run: async (uses, ctx) => ({ prepared: await prepareWords(uses, ctx) }),
})
