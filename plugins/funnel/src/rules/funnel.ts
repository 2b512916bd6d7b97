import type { Step } from '../schema.ts'

export type Way = Readonly<Partial<Record<Step, string>>>

export interface Drop {
  readonly stage: Step
  readonly reached: number
  readonly droppedOff: number
  readonly dropoffRate: number
}

/** A part of a whole, to four digits; 0 for an empty whole. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

export const counts = (ways: readonly Way[], steps: readonly Step[]): { step: Step; tenants: number }[] =>
  steps.map((step) => ({ step, tenants: ways.filter((way) => way[step] !== undefined).length }))

/** Share of sign-ups that reached the last step. */
export function completion(ways: readonly Way[], steps: readonly Step[]): number {
  const last = steps.at(-1) as Step
  return share(ways.filter((way) => way[last] !== undefined).length, ways.length)
}

/** Drop-offs: the number that reached a stage and not the next; nobody drops off after the last. */
export function drops(ways: readonly Way[], steps: readonly Step[]): Drop[] {
  return steps.slice(0, -1).map((stage, at) => {
    const next = steps[at + 1] as Step
    const here = ways.filter((way) => way[stage] !== undefined)
    const droppedOff = here.filter((way) => way[next] === undefined).length
    return { stage, reached: here.length, droppedOff, dropoffRate: share(droppedOff, here.length) }
  })
}

/** The stage after which most are lost, the earlier of two equal ones; null if nobody is lost. */
export function worst(drops: readonly Drop[]): Step | null {
  let most: Drop | undefined
  for (const drop of drops) if (drop.droppedOff > (most?.droppedOff ?? 0)) most = drop
  return most?.stage ?? null
}
