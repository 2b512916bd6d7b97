import { usageLedger } from '@gateway/plugin-providers/api'
import { contribute } from '@gateway/sdk'
import { addOutside, outsideUses } from '../operations/add-outside.ts'

/** Usage that other families received, such as that of a recorded run. */
export const ledger = contribute(usageLedger, {
  uses: outsideUses,
  create: (refs, ctx) => ({
    async add(usage, tx, argument) {
      if (refs.config.enabled) await addOutside(refs, usage, argument, ctx, tx)
    },
  }),
})
