import type { Call, Model } from '../checker.ts'

export interface KeyCall extends Call<{ readonly result: string }> {
  readonly key: string
}

export interface KeyState {
  readonly isUsed: boolean
  /** Absent while unknown: the call that took effect got no answer. */
  readonly result?: string
}

/** An idempotency key: the first call with it takes effect, and all get its result. */
export const keyModel: Model<KeyState, KeyCall> = {
  initial: { isUsed: false },
  onlyReads: () => false,
  execute(state, { answer }) {
    if (answer === undefined) return [{ ...state, isUsed: true }]
    return state.result === undefined || state.result === answer.result ? [{ isUsed: true, result: answer.result }] : []
  },
}
