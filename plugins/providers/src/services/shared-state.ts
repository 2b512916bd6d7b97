import { provideProcess } from '@gateway/sdk'
import { host } from '../operations/host.ts'
import { SharedState, sharedState } from '../operations/shared-state.ts'

export const sharedStateProvider = provideProcess(sharedState, { uses: { host }, create: ({ host }) => new SharedState(host) })
