import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk/command'
import { packCheckout } from './checkout.ts'
import { scaffold, VENDOR } from './scaffold.ts'

/**
 * Writes the scaffold below `folder`, which must be new or empty: no existing file is overwritten. Returns the paths written.
 * With a checkout, the packages of the gateway come with it; without one, from npm.
 */
export async function writeScaffold(id: string, folder: string, checkout?: string): Promise<readonly string[]> {
  const existing = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CommandError(EXIT.failure, `${folder} cannot be used: ${error.message}.`)
  })
  if (existing.length > 0) throw new CommandError(EXIT.failure, `${folder} is not empty; choose another name or folder.`)
  const packed = checkout === undefined ? new Map<string, string>() : await packCheckout(checkout, join(folder, VENDOR))
  const files = scaffold(id, packed)
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return [...files.keys(), ...[...packed.values()].map((file) => join(VENDOR, file))]
}
