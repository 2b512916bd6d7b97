import { bootPart } from '@gateway/plugin-context/api'
import { contribute } from '@gateway/sdk'
import { brain } from '../api.ts'
import { activationUses, recordStep } from '../operations/activation.ts'

/** The brain's part of the boot bundle; reads only its index. */
export const brainAtBoot = contribute(bootPart, {
  uses: { brain, ...activationUses },
  create: ({ brain, ...uses }, ctx) => ({
    title: 'Brain',
    order: 30,
    place: 'volatile' as const,
    render: ({ repo, budget, crossProject }) => (crossProject ? brain.bootSection(budget) : brain.brief(budget, repo)),
    served: () => recordStep(uses, 'first_brain_boot', ctx),
  }),
})
