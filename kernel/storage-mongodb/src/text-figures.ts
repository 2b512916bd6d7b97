import type { Document } from 'mongodb'
import type { TextFigures } from './bm25.ts'
import type { Layout } from './layout.ts'
import type { Place } from './place.ts'

/** Up to this many documents are measured at every search, by the index alone. */
const FEW = 2_000
/** Number of documents that are measured of more. */
const SAMPLE = 1_000
/** The average of many documents is measured again when their number has changed by this share. */
const CHANGE = 0.1

const measured = new WeakMap<Layout, TextFigures>()

/** Figures of all tenants together, as in the embedded store; read outside a transaction, because few documents can differ. */
export async function textFigures({ docs, layout }: Place): Promise<TextFigures> {
  const documents = await docs.estimatedDocumentCount()
  const known = measured.get(layout)
  if (documents > FEW && known && Math.abs(documents - known.documents) <= CHANGE * known.documents)
    return { documents, averageLength: known.averageLength }
  const some: Document = documents > FEW ? { $sample: { size: SAMPLE } } : { $match: { s: layout.stamp } }
  const sums = { $group: { _id: null, documents: { $sum: 1 }, words: { $sum: '$l' } } }
  const [row] = await docs.aggregate<{ documents: number; words: number }>([some, sums]).toArray()
  const averageLength = row === undefined || row.words === 0 ? 1 : row.words / row.documents
  const figures = { documents: documents > FEW ? documents : (row?.documents ?? 0), averageLength }
  measured.set(layout, figures)
  return figures
}
