import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { serverProgram } from '../../../scripts/mongodb-server.mjs'
import { freePort } from '../../../test/support/ports.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'

/** Address of a running MongoDB for tests, as passed on by scripts/test.mjs; tests create and drop their own databases there. */
export const givenServer = process.env.TEST_MONGODB_URL ?? process.env.MONGODB_URL

export interface MongoServer {
  readonly url: string
  stop(): Promise<void>
}

/** A server that this process started and may pause or kill. */
export interface MongoProcess extends MongoServer {
  readonly pid: number
  hasEnded(): boolean
  kill(): Promise<void>
}

/** Time that a stopping server may wait for its connections. */
const PATIENCE_MS = 5_000
const LOOK_EVERY_MS = 25

/** Reason why no test can start a server here; undefined where one can. */
export function lacksServer(): string | undefined {
  return givenServer === undefined ? lacksProgram() : undefined
}

/** Reason why no test can start a server of its own here, as one that pauses or stops it has to. */
export function lacksProgram(): string | undefined {
  const program = serverProgram()
  return 'reason' in program ? program.reason : undefined
}

/** The given server, otherwise one of this process with its data in a temporary folder. */
export async function mongoServer(): Promise<MongoServer> {
  return givenServer === undefined ? startServer() : { url: givenServer, stop: async () => {} }
}

/** Ends all transactions that are open, as the server does by itself with those that are older than a minute. */
export async function endTransactions(url: string): Promise<void> {
  const client = new MongoClient(url)
  try {
    await client.db('admin').command({ killAllSessions: [] })
  } finally {
    await client.close()
  }
}

/** A server of this process on fresh data. `standalone` has no replica set and so no transactions. */
export async function startServer({ standalone = false } = {}): Promise<MongoProcess> {
  const folder = temporaryFolder()
  const server = await serve(await freePort(), folder.path, standalone ? ['--standalone'] : [])
  return {
    ...server,
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}

/** A server on this port and this data; after its end the next one can use both. With `--sync-on-commit` it survives a power cut. */
export async function serve(port: number, dataDir: string, options: readonly string[] = []): Promise<MongoProcess> {
  const program = serverProgram()
  if ('reason' in program) throw new Error(program.reason)
  const places = ['--host', '127.0.0.1', '--port', String(port), '--storage-path', dataDir]
  // The cache holds what a test writes: while one of 64 MB was full, every command took a tenth of a second.
  const settings = ['--log-level', 'ERROR', '--cache-size', '256M', ...options]
  const child = spawn(program.path, [...places, ...settings], { cwd: dataDir, stdio: ['ignore', 'ignore', 'inherit'] })
  // A hook that never ends fails its file; a server that is left then keeps no process alive.
  child.unref()
  const last = (): void => void child.kill('SIGKILL')
  process.once('exit', last)
  child.once('exit', () => process.off('exit', last))
  await listening(child, port)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await ended
    clearTimeout(patience)
  }
  const url = `mongodb://127.0.0.1:${port}/`
  return { url, pid: child.pid as number, hasEnded, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  while (!(await accepts(port))) {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the MongoDB server ended with ${ended} before it listened`)
    await sleep(LOOK_EVERY_MS)
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
