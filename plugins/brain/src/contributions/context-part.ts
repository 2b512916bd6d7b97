import { bootPart } from '@gateway/plugin-context/api'
import { contribute } from '@gateway/sdk'
import { brain } from '../api.ts'

/** What the brain has to say at the start of work; reads its index only. */
export const brainAtBoot = contribute(bootPart, {
  uses: { brain },
  create: ({ brain }) => ({
    title: 'Brain',
    order: 30,
    place: 'volatile' as const,
    render: ({ repo, budget, crossProject }) => (crossProject ? brain.bootSection(budget) : brain.brief(budget, repo)),
  }),
})
