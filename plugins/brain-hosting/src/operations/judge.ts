import type { PackRequest, PushedRef } from '@gateway/plugin-git/api'
import type { Resolved } from '@gateway/sdk'
import type { transferUses } from './transfer.ts'

/** What a client reads on its screen when its push is refused. Which refs it wants to move is noted in `asked`. */
export function judge(
  { brain, desk }: Resolved<typeof transferUses>,
  tenantId: string,
  asked: PushedRef[],
): NonNullable<PackRequest['judge']> {
  return async (refs, quarantine) => {
    asked.push(...refs)
    for (const ref of refs) {
      const fault = await brain.refusePush(ref, quarantine)
      if (fault !== undefined) return fault
    }
    // What was pushed lies below the repository already, and is counted.
    const { usedBytes, capBytes } = await desk.quotaOf(tenantId)
    return usedBytes > capBytes ? `The brain would have ${usedBytes} bytes, and the plan allows ${capBytes}.` : undefined
  }
}
