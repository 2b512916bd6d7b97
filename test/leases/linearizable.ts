import * as linearizable from '../linearizable/checker.ts'
import type { Call } from './history.ts'
import { executeOrder, free, onlyReads, type State } from './model.ts'

/** The model of one leased key, for the checker. */
export const leaseModel: linearizable.Model<State, Call> = { initial: free, execute: executeOrder, onlyReads }

export const unexplained = (calls: readonly Call[]): string | undefined => linearizable.unexplained(leaseModel, calls)

export const faults = (calls: readonly Call[]): string[] => linearizable.faults(leaseModel, calls)
