import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gateway-store-'))
  // A store that has just been closed may still write its last checkpoint.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }) }
}
