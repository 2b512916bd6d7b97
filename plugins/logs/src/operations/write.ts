import { atomically, type CallContext, DAY_MS, defined, type Resolved, repairText } from '@gateway/sdk'
import { storableAttributes, storableText } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import { logs, rings } from '../collections.ts'
import { config } from '../config.ts'
import type { Line, Log, StorableLine } from '../schema.ts'
import { batches } from '../services/batches.ts'

export const writing = { logs, rings, config, batches, atomically }
type Writing = Resolved<typeof writing>

/** Stores lines, in order, in the ring of the caller's tenant. Resolves when they are durable. */
export async function writeLines(lines: readonly Line[], uses: Writing, ctx: CallContext): Promise<readonly Log[]> {
  const { config, batches, atomically } = uses
  const storable = lines.map((line): StorableLine => {
    const { correlationId, service, level = 'info', message, attributes } = line
    return {
      correlationId: repairText(correlationId),
      ...defined({ service }),
      level,
      message: storableText(message, config.maxMessageCharacters),
      ...(attributes !== undefined && { attributes: storableAttributes(attributes, config.maxAttributesCharacters) }),
    }
  })
  return batches.add(ctx.tenantId, storable, (take) =>
    atomically(async (tx) => {
      const all = take()
      const createdAt = tx.now.toISOString()
      const past = new Date(tx.now.getTime() - config.retentionDays * DAY_MS).toISOString()
      const isPast = (log: Log): boolean => log.createdAt < past
      const ring = { states: uses.rings, documents: uses.logs, key: 'logId', prefix: 'log-', max: config.maxLines, isPast } as const
      const ids = await takePlaces(ring, all.length, tx)
      return uses.logs.in(tx).insertMany(all.map((line, i) => ({ logId: ids[i] as string, ...line, createdAt })))
    }),
  )
}
