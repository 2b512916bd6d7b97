import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FILES, MODEL } from './model-files.ts'

/** Stall timeout: a silent connection is dead. */
const STALL_MS = 60_000

/**
 * Fetches missing files of the model into `folder`. Each is written under another name, synced, then renamed, so it comes whole
 * or not at all. `progress` receives the share that is complete, 0 to 1.
 */
export async function fetchModel(url: string, folder: string, progress: (share: number) => void): Promise<void> {
  for (const [i, { path, maxBytes }] of FILES.entries()) {
    // The last file is nearly all of the model.
    const isLast = i === FILES.length - 1
    await fetchFile(`${url}/${path}`, join(folder, MODEL, path), maxBytes, (share) => progress(isLast ? share : 0))
  }
}

async function fetchFile(url: string, target: string, maxBytes: number, progress: (share: number) => void): Promise<void> {
  const stalled = new AbortController()
  const watch = setTimeout(() => stalled.abort(new Error(`${url} sent nothing for ${STALL_MS / 1_000} s`)), STALL_MS)
  watch.unref()
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const part = `${target}.${randomBytes(6).toString('hex')}.part`
  const file = await open(part, 'wx', 0o600)
  try {
    const response = await fetch(url, { signal: stalled.signal })
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
    const total = Number(response.headers.get('content-length') ?? 0)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      watch.refresh()
      bytes += chunk.length
      if (bytes > maxBytes) throw new Error(`${url} is longer than the limit of ${maxBytes} bytes`)
      hash.update(chunk)
      await file.write(chunk)
      if (total > 0) progress(Math.min(1, bytes / total))
    }
    checkWhole(url, response, bytes, hash.digest('hex'))
    await file.sync()
    await file.close()
    await rename(part, target)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    throw error
  } finally {
    clearTimeout(watch)
  }
}

/** The host of the model names a large file by its SHA-256. */
function checkWhole(url: string, { headers }: Response, bytes: number, sha256: string): void {
  const said = headers.get('content-length')
  const isEncoded = headers.get('content-encoding') !== null
  if (said !== null && !isEncoded && Number(said) !== bytes) throw new Error(`${url} ended after ${bytes} of ${said} bytes`)
  const named = /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? headers.get('etag') ?? '')?.[1]
  if (named !== undefined && named !== sha256) throw new Error(`${url} must have the SHA-256 ${named}; got ${sha256}`)
}
