import type { Call, Model } from '../checker.ts'

export interface SlotCall extends Call<SlotAnswer> {
  readonly key: string
  readonly holder: string
  readonly request: { readonly op: 'acquire' } | { readonly op: 'release'; readonly slot: number }
}
/** `ok: false`: all slots are held, or the slot is not the holder's. */
export type SlotAnswer = { readonly ok: true; readonly slot?: number } | { readonly ok: false }

/** Holder of each slot, of which the first has the number 1; null when it is free. */
export type Slots = readonly (string | null)[]

/** A pool of slots whose leases outlast the history. */
export function slotModel(count: number): Model<Slots, SlotCall> {
  return {
    initial: Array.from({ length: count }, () => null),
    onlyReads: ({ answer }) => answer?.ok === false,
    execute(state, { request, holder, answer }) {
      if (request.op === 'release') {
        const isHeld = state[request.slot - 1] === holder
        if (answer?.ok === false) return isHeld ? [] : [state]
        return isHeld ? [withHolder(state, request.slot, null)] : []
      }
      const own = state.indexOf(holder) + 1
      const free = state.flatMap((held, slot) => (held === null ? [slot + 1] : []))
      if (answer?.ok === false) return own === 0 && free.length === 0 ? [state] : []
      const slots = own > 0 ? [own] : free
      return slots.filter((slot) => answer?.slot === undefined || slot === answer.slot).map((slot) => withHolder(state, slot, holder))
    },
  }
}

const withHolder = (state: Slots, slot: number, holder: string | null): Slots => state.map((held, n) => (n === slot - 1 ? holder : held))
