import { join } from 'node:path'
import { openSecretHasher } from '../../../kernel/core/src/secrets/secrets.ts'

/** Takes the key as the next start would: it is whole, and the one that was in use. */
export async function inspectKey(folder: string, acknowledged: readonly string[]): Promise<readonly string[]> {
  try {
    const hasher = openSecretHasher({ dataDir: join(folder, 'data') })
    return acknowledged.every((hash) => hasher.matches('secret', hash)) ? [] : ['what was acknowledged does not match any more']
  } catch (error) {
    return [String(error)]
  }
}
