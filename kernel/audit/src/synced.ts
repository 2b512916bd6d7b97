import { open } from 'node:fs/promises'

/** Creates a file whose bytes are durable before anything names it. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.write(text, 0)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
