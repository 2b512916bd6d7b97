import { type Collection, isToolError } from '@gateway/sdk'
import type { Row } from '@gateway/storage'

/** Inserts rows, each by itself; the writer makes one commit of those of a turn. Returns the rows that a unique index refused. */
export async function fill(collectionOf: (tenant: string) => Collection<object>, rows: readonly Row[]): Promise<readonly Row[]> {
  const refused: Row[] = []
  const insert = async (row: Row): Promise<void> => {
    try {
      await collectionOf(row.tenant).insert(row.doc)
    } catch (error) {
      if (!isToolError(error) || error.code !== 'DUPLICATE_KEY') throw error
      refused.push(row)
    }
  }
  await Promise.all(rows.map(insert))
  return refused
}
