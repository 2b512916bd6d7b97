/** UCB1: the mean reward of an arm, plus a bonus for its uncertainty. */
export function upperBound({ pulls, rewards }: { readonly pulls: number; readonly rewards: number }, totalPulls: number): number {
  return rewards / pulls + Math.sqrt((2 * Math.log(Math.max(totalPulls, 1))) / pulls)
}
