import type { Transaction } from '@gateway/sdk'
import type { MemoryUses } from './uses.ts'

export async function usePatterns(ids: readonly string[], { records }: Pick<MemoryUses, 'records'>, tx: Transaction): Promise<void> {
  const patterns = await records.in(tx).getMany([...new Set(ids)])
  for (const { id, confidence = 0 } of patterns) {
    await records
      .in(tx)
      .updateOne(
        id,
        { inc: { usageCount: 1, strength: confidence }, set: { lastUsedAt: tx.now.toISOString() } },
        { strength: { exists: true } },
      )
  }
}
