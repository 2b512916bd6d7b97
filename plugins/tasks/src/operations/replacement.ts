import { BadRequest, type Resolved, type Transaction } from '@gateway/sdk'
import { tasks } from '../collections.ts'

const replacementUses = { tasks }

/** Far longer than tasks replace each other in practice. */
const MAX_CHAIN = 100

/** Refuses a replacing task that does not exist, is the task itself, or was replaced by it in turn, over any number of tasks. */
export async function checkReplacement(
  { tasks }: Resolved<typeof replacementUses>,
  taskId: string,
  supersededBy: string | undefined,
  tx: Transaction,
): Promise<void> {
  let at = supersededBy
  for (let length = 0; at !== undefined; length++) {
    if (at === taskId) throw refused(`must name another task that ${taskId} has not replaced itself`, supersededBy)
    if (length === MAX_CHAIN) throw refused(`must name a task behind which at most ${MAX_CHAIN} tasks replace each other`, supersededBy)
    const next = await tasks.in(tx).get(at)
    if (!next && length === 0) throw refused('must name a task that exists', supersededBy)
    // Written as it is, so that two changes at two nodes do not each replace one of two tasks by the other.
    if (next) await tasks.in(tx).updateOne(at, { set: { dependents: next.dependents } })
    at = next?.supersededBy
  }
}

const refused = (expected: string, got: string | undefined) =>
  BadRequest({ field: 'supersededBy', message: `\`supersededBy\` ${expected}; got ${got}.` })
