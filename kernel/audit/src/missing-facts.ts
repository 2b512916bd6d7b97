import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordPlace } from './record.ts'

/** A process releases an owed record right after it has written it, so a record of the same write is among the last bytes. */
const MAX_LOOKED_BACK = 1024 * 1024

/** Returns the facts that the end of a trail does not hold. */
export async function missingIn(
  folder: string,
  last: RecordPlace & { readonly length: number },
  facts: readonly string[],
): Promise<string[]> {
  if (last.file === '') return [...facts]
  const file = await open(join(folder, last.file), 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - MAX_LOOKED_BACK)
    const piece = Buffer.alloc(size - start)
    await file.read(piece, 0, piece.length, start)
    return facts.filter((one) => !piece.includes(`${one},"prev":"`))
  } finally {
    await file.close()
  }
}
