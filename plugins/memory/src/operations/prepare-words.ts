import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Resolved } from '@gateway/sdk'
import { preparations } from '../collections.ts'
import { BEFORE, replaceNeighbour } from '../rules/neighbours.ts'
import { wordsOf } from '../rules/prepare.ts'
import { WORDS_VERSION } from '../rules/words.ts'
import type { MemoryRecord } from '../schema.ts'
import { type Call, type MemoryUses, memoryUses } from './uses.ts'

export const preparationUses = { ...memoryUses, preparations }

/** Records per commit: a killed process repeats no more work than this. */
const STEP = 50
const STATE = 'words'

/**
 * Prepares the words of a tenant's records again, once per `WORDS_VERSION`. Records not done yet stay searchable, because queries keep the
 * words that earlier versions searched for.
 */
export async function prepareWords(uses: Resolved<typeof preparationUses>, call: Call): Promise<number> {
  const { records, preparations, atomically } = uses
  const state = await preparations.get(STATE)
  const isUnderWay = state?.version === WORDS_VERSION
  if (isUnderWay && state.after === undefined) return 0
  let after = isUnderWay ? (state.after as string) : ''
  let done = 0
  for (;;) {
    call.signal.throwIfAborted()
    const { items } = await records.find({ where: { id: { gt: after } }, sort: { id: 1 }, limit: STEP })
    const changed = await cutAnew(items)
    const last = items.length < STEP ? undefined : items.at(-1)?.id
    await atomically(async (tx) => {
      for (const { record, words } of changed) await replaceWords(record, words, records.in(tx))
      const doc = { stateId: STATE, version: WORDS_VERSION, ...(last !== undefined && { after: last }) }
      await preparations.in(tx).deleteOne(STATE)
      await preparations.in(tx).insert(doc)
    })
    done += changed.length
    if (last === undefined) return done
    after = last
  }
}

/** Yields after each record, because a long text takes some milliseconds. */
async function cutAnew(items: readonly MemoryRecord[]): Promise<readonly { readonly record: MemoryRecord; readonly words: string }[]> {
  const changed: { record: MemoryRecord; words: string }[] = []
  for (const record of items) {
    const words = wordsOf(record)
    if (words !== record.words) changed.push({ record, words })
    await yieldToEventLoop()
  }
  return changed
}

type InTx = ReturnType<MemoryUses['records']['in']>

/** Updates the record and the neighbours that are found by its words. A record that was replaced meanwhile has new words already. */
async function replaceWords(record: MemoryRecord, words: string, records: InTx): Promise<void> {
  const { id, thread, storedAs } = record
  const still = await records.updateOne(id, { set: { words } }, { storedAs })
  if (!still || thread === undefined) return
  const behind = await records.find({ where: { thread, storedAs: { gt: storedAs } }, sort: { storedAs: 1 }, limit: BEFORE })
  const before = await records.find({ where: { thread, storedAs: { lt: storedAs } }, sort: { storedAs: -1 }, limit: 1 })
  for (const { id, around = '' } of [...behind.items, ...before.items]) {
    const replaced = replaceNeighbour(around, record, { words })
    if (replaced !== around) await records.updateOne(id, { set: { around: replaced } })
  }
}
