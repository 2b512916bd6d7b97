import { bootPart } from '@gateway/plugin-context/api'
import { openSessions } from '@gateway/plugin-sessions/api'
import { contribute, optional } from '@gateway/sdk'
import { brain } from '../api.ts'
import { observations } from '../collections.ts'
import { activationUses, recordStep } from '../operations/activation.ts'
import { decisions, lastSession, memoryOfAllRepos, openWork } from '../operations/boot-parts.ts'
import { brainUses } from '../operations/refs.ts'

/** The brain of all repos, for a boot that may speak of others; reads only its index. */
export const brainAtBoot = contribute(bootPart, {
  uses: { brain, ...activationUses },
  create: ({ brain, ...uses }, ctx) => ({
    title: 'Brain',
    order: 40,
    place: 'volatile' as const,
    render: async ({ budget, crossProject }) => (crossProject ? brain.bootSection(budget) : ''),
    served: () => recordStep(uses, 'first_brain_boot', ctx),
  }),
})

/** Knowledge and decisions of the repo, with the reasons. */
export const decisionsAtBoot = contribute(bootPart, {
  uses: { ...brainUses, ...activationUses },
  create: (refs, ctx) => ({
    title: 'Decisions and memory',
    order: 10,
    place: 'volatile' as const,
    render: ({ repo, budget }) => decisions(refs, ctx, repo, budget),
    served: () => recordStep(refs, 'first_brain_boot', ctx),
  }),
})

export const lastSessionAtBoot = contribute(bootPart, {
  uses: { ...brainUses, ...activationUses },
  create: (refs, ctx) => ({
    title: 'Last session',
    order: 12,
    place: 'volatile' as const,
    render: ({ repo }) => lastSession(refs, ctx, repo),
    served: () => recordStep(refs, 'first_brain_boot', ctx),
  }),
})

/** Open branches of sessions that have not ended, and pending stashes. */
export const openWorkAtBoot = contribute(bootPart, {
  uses: { ...brainUses, observations, open: optional(openSessions) },
  create: (refs, ctx) => ({
    title: 'Open work',
    order: 14,
    place: 'volatile' as const,
    render: ({ repo }) => openWork(refs, ctx, repo),
  }),
})

/** Knowledge and decisions that belong to no repo. */
export const memoryOfAllAtBoot = contribute(bootPart, {
  uses: { ...brainUses, ...activationUses },
  create: (refs, ctx) => ({
    title: 'Memory of all repos',
    order: 16,
    place: 'volatile' as const,
    render: ({ budget }) => memoryOfAllRepos(refs, ctx, budget),
    served: () => recordStep(refs, 'first_brain_boot', ctx),
  }),
})
