import type { BudgetStatus } from '../schema.ts'
import type { Standing } from './caps.ts'
import { WHOLE } from './scope.ts'

export interface NearCap {
  /** Name in the settings. */
  readonly cap: string
  readonly capUsd: number
  readonly spentUsd: number
  readonly state: Exclude<Standing, 'ok'>
  readonly resetsAt: string
}
type Seen = Pick<BudgetStatus, 'channels' | 'caps' | 'monthResetsAt'>

const RANK: readonly Standing[] = ['ok', 'downgrade', 'exceeded']
const byRank = (a: Standing, b: Standing): number => RANK.indexOf(b) - RANK.indexOf(a)
export const worstOf = (states: readonly Standing[]): Standing => states.toSorted(byRank)[0] ?? 'ok'

/**
 * The caps of channels, keys, agents, tasks, swarms and models that are reached, then those that are nearly reached. A cap of 0
 * forbids calls without being reached by any, so that it counts once something was spent.
 */
export function nearCaps({ channels = [], caps = [], monthResetsAt }: Seen): readonly NearCap[] {
  const ofChannels = channels.map(({ channel, monthToDateUsd, monthlyCapUsd, state }) => {
    return { cap: `channels.${channel}.monthlyCapUsd`, capUsd: monthlyCapUsd, spentUsd: monthToDateUsd, state, resetsAt: monthResetsAt }
  })
  const parts = caps.filter(({ cap }) => !WHOLE.some(({ setting }) => cap.startsWith(`${setting}.`)))
  return [...ofChannels, ...parts]
    .flatMap(({ cap, capUsd, spentUsd, state, resetsAt }) =>
      state === 'ok' || spentUsd === 0 ? [] : [{ cap, capUsd, spentUsd, state, resetsAt }],
    )
    .toSorted((a, b) => byRank(a.state, b.state))
}
