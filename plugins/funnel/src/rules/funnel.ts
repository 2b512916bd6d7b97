import type { Step } from '../schema.ts'

/** A tenant’s way: when it did what. */
export type Way = Readonly<Partial<Record<Step, string>>>

export interface Drop {
  readonly stage: Step
  readonly reached: number
  readonly droppedOff: number
  readonly dropoffRate: number
}

/** A part of a whole, to four digits; of nothing it is 0. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

/** How many tenants have done each step. */
export const counts = (ways: readonly Way[], steps: readonly Step[]): { step: Step; tenants: number }[] =>
  steps.map((step) => ({ step, tenants: ways.filter((way) => way[step] !== undefined).length }))

/** Of those that signed up, how many came to the last step. */
export function completion(ways: readonly Way[], steps: readonly Step[]): number {
  const last = steps.at(-1) as Step
  return share(ways.filter((way) => way[last] !== undefined).length, ways.length)
}

/** Of those that came to a stage, how many did not come to the next; nobody drops off behind the last. */
export function drops(ways: readonly Way[], steps: readonly Step[]): Drop[] {
  return steps.slice(0, -1).map((stage, at) => {
    const next = steps[at + 1] as Step
    const here = ways.filter((way) => way[stage] !== undefined)
    const droppedOff = here.filter((way) => way[next] === undefined).length
    return { stage, reached: here.length, droppedOff, dropoffRate: share(droppedOff, here.length) }
  })
}

/** The stage behind which most are lost, the earlier of two alike; none while nobody is. */
export function worst(drops: readonly Drop[]): Step | null {
  let most: Drop | undefined
  for (const drop of drops) if (drop.droppedOff > (most?.droppedOff ?? 0)) most = drop
  return most?.stage ?? null
}
