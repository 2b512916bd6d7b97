import { run } from './run.ts'

/** Packs of many imports become few, in sizes that double, so that what is joined again and again stays small. */
export async function maintain(folder: string): Promise<void> {
  await run(['repack', '--geometric=2', '-d', '-q', '--no-write-bitmap-index'], { folder })
  await run(['pack-refs', '--all', '--no-prune'], { folder })
}
