import { git } from '@gateway/plugin-git/api'
import { contribute, type DoctorFinding, doctorCheck } from '@gateway/sdk'
import { type BrainState, indexStates } from '../operations/index-state.ts'

/** Checks that the index of each brain matches its main. */
export const indexesFit = contribute(doctorCheck, {
  uses: { git },
  create: ({ git }) => ({
    name: 'brains',
    async check(scene) {
      const found: BrainState[] = []
      for await (const state of indexStates(git, scene)) found.push(state)
      const faults = found.flatMap((state) => faultOf(state) ?? [])
      const behind = found.filter(({ state }) => state === 'behind').length
      const later = behind === 0 ? '' : `; ${behind} catch up with their refs at the next call`
      return faults.length > 0 ? faults : { outcome: 'ok', detail: `${found.length} with an index that fits${later}` }
    },
  }),
})

function faultOf({ tenantId, state, missing, gone }: BrainState): DoctorFinding | undefined {
  if (state === 'lost')
    return {
      outcome: 'fail',
      detail: `the repository of ${tenantId} is missing, but its index exists`,
      fix: 'Set GATEWAY_BRAINS_DIR to the folder that has it, which all nodes share; or restore it: `gateway restore` takes it from a backup.',
    }
  if (state === 'elsewhere')
    return {
      outcome: 'fail',
      detail: `the repository of ${tenantId} is not the one that its index was made from, or an older state of it`,
      fix: 'Set GATEWAY_BRAINS_DIR of every node to one folder that all of them share. If the other repository is lost, run `gateway brain-reindex --accept-other` as that tenant.',
    }
  if (state !== 'unfit') return undefined
  return {
    outcome: 'fail',
    detail: `the index of ${tenantId} does not fit its main: ${missing} atoms are missing, ${gone} are of no use`,
    fix: 'Run `gateway brain-reindex` as that tenant while the service runs: it rebuilds the index from the repository.',
  }
}
