import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/support/ports.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'

const source = fileURLToPath(new URL('../../../test/mongodb/ferretdb', import.meta.url))

export interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Time that a stopping server may wait for its connections. */
const PATIENCE_MS = 5_000
/** Go fetches and compiles the server once, which takes minutes on a new machine. */
const BUILD_LIMIT_MS = 480_000
const LOOK_EVERY_MS = 200

/**
 * The server's binary, or the reason why there is none. Go caches the build; a caller that arrives during a build waits for it.
 */
export function buildFerretdb(): { readonly binary: string } | { readonly reason: string } {
  // Tests may have a temporary folder of their own, which is removed after each run.
  const folder = join(process.env.TEST_BUILDS ?? tmpdir(), 'gateway-ferretdb-1.24.0-one-by-one')
  mkdirSync(folder, { recursive: true })
  const unlock = lock(join(folder, 'building'))
  const binary = join(folder, 'ferretdb')
  try {
    execFileSync('go', ['build', '-o', binary, '.'], { cwd: source, stdio: ['ignore', 'ignore', 'pipe'], timeout: BUILD_LIMIT_MS })
    return { binary }
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'needs Go' : 'Go could not build FerretDB here' }
  } finally {
    unlock()
  }
}

/** Waits without the event loop, because it runs while tests are declared. The lock of a killed process does not count. */
function lock(path: string): () => void {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isHeld(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
      else rmSync(path, { force: true })
    }
  }
}

function isHeld(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

export async function startFerretdb(binary: string): Promise<Server> {
  const folder = temporaryFolder()
  const child = await serveFerretdb(binary, await freePort(), folder.path)
  return {
    url: child.url,
    pid: child.pid,
    async stop() {
      await child.stop()
      folder.remove()
    },
  }
}

/** A server on this port and this data; after a stop the next one can use the data. */
export async function serveFerretdb(binary: string, port: number, dataDir: string): Promise<Server> {
  const child: ChildProcess = spawn(binary, [`127.0.0.1:${port}`, dataDir], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`FerretDB ended with ${String(code)} before it listened`)))
  const listening = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line') as Promise<[string]>
  const [url] = await Promise.race([listening, ended])
  ended.catch(() => undefined)
  return {
    url,
    pid: child.pid as number,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended
      clearTimeout(patience)
    },
  }
}
