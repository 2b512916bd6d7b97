import { join } from 'node:path'
import { callKeys } from '@gateway/storage'
import { DatabaseSync } from '@photostructure/sqlite'

/** The records of all idempotency keys, as the store has them. */
export function keptKeys(dataDir: string): readonly { readonly tool: string; readonly process?: string; readonly answer?: string }[] {
  const database = new DatabaseSync(join(dataDir, 'store', 'gateway.db'), { readOnly: true })
  try {
    const rows = database.prepare(`SELECT doc FROM "${callKeys.id}"`).all() as { readonly doc: string }[]
    return rows.map(({ doc }) => JSON.parse(doc))
  } finally {
    database.close()
  }
}
