/** UCB1: the mean reward of an arm, and what may still be in it that was not seen yet. */
export function upperBound({ pulls, rewards }: { readonly pulls: number; readonly rewards: number }, totalPulls: number): number {
  return rewards / pulls + Math.sqrt((2 * Math.log(Math.max(totalPulls, 1))) / pulls)
}
