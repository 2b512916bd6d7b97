import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 ** 31

/**
 * Makes a folder in memory for the temporary files of the tests: each test gateway has its own store, and syncing thousands of them to a
 * disk takes longer than the tests. Undefined where the system has no such place or it is small, as in most containers.
 */
export function temporaryFolder() {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < NEEDED_BYTES) return undefined
  const folder = mkdtempSync(join(MEMORY, 'gateway-tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return { environment: { TMPDIR: folder }, remove }
}
