import { BadRequest } from '@gateway/sdk'

/** Upper limit of children, whatever the setting and the argument say. */
export const HARD_CHILD_CAP = 5

/** Number of children that a swarm may have: the setting and the argument can only lower it. */
export function effectiveCap(configured: number, asked = HARD_CHILD_CAP): number {
  return Math.min(HARD_CHILD_CAP, configured, asked)
}

interface Planned {
  readonly dependsOnIndexes?: readonly number[]
}

/** Throws BAD_REQUEST naming the argument if there are too many children, or one waits for itself or a later one. */
export function checkChildren(children: readonly Planned[], cap: number): void {
  if (children.length > cap) {
    throw BadRequest({ field: 'children', message: `\`children\` may hold at most ${cap}; got ${children.length}.` })
  }
  for (const [at, { dependsOnIndexes = [] }] of children.entries()) {
    for (const [i, upstream] of dependsOnIndexes.entries()) {
      if (upstream < at) continue
      const field = `children[${at}].dependsOnIndexes[${i}]`
      const expected = at === 0 ? 'the first child can wait for none' : `it must name an earlier child, 0 to ${at - 1}`
      throw BadRequest({ field, message: `\`${field}\`: ${expected}; got ${upstream}.` })
    }
  }
}
