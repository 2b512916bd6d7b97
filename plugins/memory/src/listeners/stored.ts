import { on } from '@gateway/sdk'
import { embedPending } from '../operations/embed-pending.ts'
import { stored } from '../operations/events.ts'
import { memoryUses } from '../operations/uses.ts'

export const embedStored = on(stored, {
  uses: memoryUses,
  async handle(_stored, uses, ctx) {
    await embedPending(uses, ctx)
  },
})
