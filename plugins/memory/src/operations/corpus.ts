import { defined, type Transaction } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import type { Corpus, CorpusQuery, CorpusWriter, IndexedDocument } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { aroundOf, neighboursOf } from '../rules/neighbours.ts'
import { prepared } from '../rules/prepare.ts'
import type { MemoryRecord } from '../schema.ts'
import { searchRecords } from './search-records.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, removeRecords } from './write.ts'

const NAME = /^[a-z][a-z0-9-]{0,49}$/
const STEP = 500

/** Documents of another family, under its own ids. */
export function corpusOf(name: string, uses: MemoryUses, call: Call): Corpus {
  if (!NAME.test(name) || name === MEMORY)
    throw new Error(`The name of a corpus must be in kebab-case and not ${MEMORY}; got ${JSON.stringify(name)}`)
  const { records, vectors, atomically } = uses
  const idOf = (id: string): string => `${name}/${id}`
  return { ...writer(atomically), in: (tx) => writer((work) => work(tx)), clear, present, search, stats }

  /** Caches of this process are updated after the commit, by any transaction's owner. */
  function writer(within: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>): CorpusWriter {
    return {
      put: (documents, { apart = false } = {}) =>
        within(async (tx) => {
          const changed = await putIn(tx, documents, apart)
          tx.afterCommit(() => afterWrite(uses, call, { removed: changed, added: changed.length }))
        }),
      remove: (ids) =>
        within((tx) => {
          const own = ids.map(idOf)
          tx.afterCommit(() => afterWrite(uses, call, { removed: own, added: 0 }))
          return removeRecords(own, uses, tx)
        }),
    }
  }

  async function putIn(tx: Transaction, documents: readonly IndexedDocument[], apart: boolean): Promise<readonly string[]> {
    // The last of two documents with one id counts.
    const all = [...new Map(documents.map((one) => [one.id, recordOf(one)])).values()]
    const inTx = records.in(tx)
    const existing = new Map((await inTx.getMany(all.map(({ id }) => id))).map((record) => [record.id, record]))
    const changed: string[] = []
    for (const [i, record] of all.entries()) {
      const around = apart ? '' : aroundOf(neighboursOf(all, i))
      const before = existing.get(record.id)
      const isSame = before !== undefined && isSameDocument(before, record)
      if (isSame && (around === (before.around ?? '') || all.length === 1)) continue
      const waits = isSame ? before.pending : tx.now.toISOString()
      if (before) await inTx.deleteOne(record.id)
      await inTx.insert({
        ...record,
        ...(around !== '' && { around }),
        ...defined({ pending: waits, unreadableBy: isSame ? before.unreadableBy : undefined }),
      })
      if (!isSame) changed.push(record.id)
    }
    if (changed.length > 0) await vectors.in(tx).deleteMany({ id: { in: changed } })
    return changed
  }

  async function clear(): Promise<number> {
    let removed = 0
    for (;;) {
      const { items } = await records.find({ where: { corpus: name }, limit: STEP })
      if (items.length === 0) return removed
      removed += await writer(atomically).remove(items.map(documentId))
    }
  }

  async function present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await records.getMany(ids.map(idOf))).map(documentId))
  }

  async function search({ limit = 10, ...query }: CorpusQuery): ReturnType<Corpus['search']> {
    const { hits, ...found } = await searchRecords({ ...query, corpus: name, limit }, uses, call)
    return { ...found, hits: hits.map(({ record, ...hit }) => ({ ...documentOf(record), ...hit })) }
  }

  async function stats(): ReturnType<Corpus['stats']> {
    const [total, embedded] = await Promise.all([records.count({ corpus: name }), vectors.count({ corpus: name })])
    return { total, embedded }
  }

  function recordOf({ id, text, title, repo, tags, marks, createdAt }: IndexedDocument): MemoryRecord {
    const place = { id: idOf(id), corpus: name, storedAs: call.newId('') }
    return prepared({ ...place, content: redactText(text), title, repo, tags, marks, createdAt })
  }

  function documentId({ id }: MemoryRecord): string {
    return id.slice(name.length + 1)
  }

  function documentOf(record: MemoryRecord): IndexedDocument {
    const { content: text, title, repo, tags, createdAt } = record
    return { id: documentId(record), text, ...defined({ title, repo }), tags, createdAt }
  }
}

function isSameDocument(a: MemoryRecord, b: MemoryRecord): boolean {
  return a.hash === b.hash && a.words === b.words && a.createdAt === b.createdAt && a.labels.join() === b.labels.join()
}
