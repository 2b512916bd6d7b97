import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ChainEnd, lastCompleteRecord, walkChain } from './chain-end.ts'
import { nameOf } from './day-file.ts'
import { listFolder, syncFolder } from './folder.ts'
import { type Head, readHead } from './head.ts'
import { type ChainPoint, genesis, type RecordPlace } from './record.ts'
import { type SetAside, setAsideAfter } from './set-aside.ts'

/** Continuation of a tenant's trail: the last record, with `file` '' before the first. */
export interface Tail extends RecordPlace {
  /** Name of the newest file, '' before the first. */
  readonly name: string
  /** Bytes of that file. */
  readonly length: number
  /** Set if the trail did not end as it was left; becomes the details of an `audit.recovered` record. */
  readonly recovered?: Recovered
}

export interface Recovered {
  /** Data found after the end of the chain: writes torn by a power cut. */
  readonly torn?: readonly SetAside[]
  /** The trail was once synced up to this record and no longer ends with or reaches it, or that cannot be decided. */
  readonly head?: Head | 'damaged'
}

/**
 * Finds the end of the chain and sets aside data after it. Creates the folder if it is missing. `known` is the end according to
 * the store.
 */
export async function openTail(folder: string, tenantId: string, known?: ChainPoint): Promise<Tail> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  // The folder of all trails is new too, and a file synced inside it is found only after the folder's name is durable.
  if (made !== undefined && made !== folder) await syncFolder(dirname(made))
  const { days } = await listFolder(folder)
  const head = await readHead(folder)
  const start: RecordPlace = { ...genesis(tenantId), file: '', offset: 0 }
  const end = await chainEnd(folder, days, head, start)
  const torn = await setAsideAfter(folder, days, end)
  const last = end.last ?? start
  const missed = known !== undefined && isLost(known, last) ? { head: known } : {}
  const lost = head === 'damaged' || isLost(head, last) ? { head } : missed
  const newest = days.at(-1) ?? ''
  return {
    ...last,
    name: nameOf(newest),
    length: newest === end.file ? end.length : 0,
    ...((torn.length > 0 || 'head' in lost) && { recovered: { ...(torn.length > 0 && { torn }), ...lost } }),
  }
}

/**
 * A power cut damages only what was written after the last sync, so the chain is followed from the record that the head names.
 * Without a place in the head, it is followed from the start of the newest file: older ones were synced before it began. If the
 * head's own record is missing or different, the cause was not a power cut: the damage is left for verification, and the chain
 * continues after the last complete record.
 */
async function chainEnd(folder: string, days: readonly string[], head: Head | 'none' | 'damaged', start: ChainPoint): Promise<ChainEnd> {
  if (typeof head === 'object' && head.file !== undefined) {
    const from = days.indexOf(head.file)
    const end = from < 0 ? undefined : await walkChain(folder, days.slice(from), head.offset, head)
    return end?.last ? end : lastCompleteRecord(folder, days)
  }
  const walked = await walkChain(folder, days.slice(-1), 0)
  const end = walked.last ? walked : await lastCompleteRecord(folder, days.slice(0, -1))
  return isLost(head, end.last ?? start) ? lastCompleteRecord(folder, days) : end
}

function isLost(head: Head | 'none' | 'damaged', last: ChainPoint): head is Head {
  return typeof head === 'object' && !(head.seq < last.seq || (head.seq === last.seq && head.hash === last.hash))
}
