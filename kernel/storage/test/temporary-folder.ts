import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TRIES = 100
const PAUSE_MS = 20

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gateway-store-'))
  return { path, remove: () => removeFolder(path) }
}

/**
 * A store that has just been closed may still write its last checkpoint. `maxRetries` does not help: it tries the folder again, but not
 * a file that has appeared in it since.
 */
function removeFolder(path: string): void {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === TRIES) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
