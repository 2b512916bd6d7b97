import { provideProcess } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'
import { SharedState, sharedState } from '../operations/shared-state.ts'

export const sharedStateProvider = provideProcess(sharedState, { uses: { pool }, create: ({ pool }) => new SharedState(pool) })
