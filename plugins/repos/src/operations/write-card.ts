import { BadRequest, type Collection, type Transaction, type Update } from '@gateway/sdk'
import { holdsCredentials } from '../rules/db-label.ts'
import type { Card } from '../schema.ts'

export type CardFields = Partial<Omit<Card, 'repoName' | 'createdAt' | 'updatedAt'>>

/** Writes these fields of a repo's card and no others; an empty text removes its field. */
export async function writeCard(
  cards: Collection<Card>,
  repoName: string,
  fields: CardFields,
  tx: Transaction,
): Promise<{ card: Card; created: boolean }> {
  if (fields.dbLabel !== undefined && holdsCredentials(fields.dbLabel))
    throw BadRequest({
      field: 'dbLabel',
      message: '`dbLabel` must be a label such as “orders, PostgreSQL 17”; got one with credentials, which are never stored.',
    })
  const at = tx.now.toISOString()
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const set = { ...Object.fromEntries(given.filter(([, value]) => value !== '')), updatedAt: at }
  const unset = given.filter(([, value]) => value === '').map(([name]) => name as keyof Card)
  const created = (await cards.in(tx).get(repoName)) === undefined
  const update: Update<Card> = { set, ...(unset.length > 0 && { unset }) }
  const card = await cards.in(tx).upsert({ repoName, ...set, createdAt: at, updatedAt: at }, update)
  return { card, created }
}
