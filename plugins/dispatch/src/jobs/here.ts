import { defineJob } from '@gateway/sdk'
import { readyHereUses, runReadyHere } from '../operations/run-ready-here.ts'

/** Executes ready tasks of agents that run here. Overlapping, so that a long run of one tenant delays no other. */
export const runHereJob = defineJob('dispatch.here', {
  everySeconds: 3,
  overlapping: true,
  activeTenantsOnly: true,
  uses: readyHereUses,
  run: (refs, ctx) => runReadyHere(refs, ctx),
})
