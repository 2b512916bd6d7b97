import type { CallContext } from '@gateway/sdk'
import type { BootPart, BootRequest } from '../api.ts'
import type { Placed } from '../rules/bundle.ts'

/** Notifies the parts that are in the bundle. Their failure does not matter: the bundle is worth more. */
export async function recordServed(
  parts: readonly BootPart[],
  shown: readonly Placed[],
  request: BootRequest,
  ctx: CallContext,
): Promise<void> {
  const titles = new Set(shown.filter(({ characters }) => characters > 0).map(({ title }) => title))
  for (const part of parts) {
    if (!titles.has(part.title)) continue
    try {
      await part.served?.(request)
    } catch (error) {
      ctx.log.warn('A part of the bundle failed to record that it was served', { part: part.title, err: error })
    }
  }
}
