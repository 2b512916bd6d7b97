import { run } from './run.ts'

/** Packs of many imports are joined into few, in sizes that double, so that repeatedly joined packs stay small. */
const TIMEOUT_MS = 600_000

export async function maintain(folder: string): Promise<void> {
  await run(['repack', '--geometric=2', '-d', '-q', '--no-write-bitmap-index'], { folder, timeoutMs: TIMEOUT_MS })
  await run(['pack-refs', '--all', '--no-prune'], { folder })
}
