import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import type { Answer, Request, WorkerData } from './heavy.ts'
import { openReader } from './open-database.ts'

/** Worker of heavy.ts: a thread with its own connections that answers one request after the other. */
const port = parentPort
if (!port) throw new Error('This module runs as a worker thread only.')
const { path } = workerData as WorkerData
/** A reader in the event loop releases its lock at the end of a turn. */
const READER_MS = 50
const driver = await loadDriver()
const reader = openReader(driver, path)
let checkpointer: Connection | undefined

port.on('message', (request: Request) => {
  if (request.kind === 'close') {
    reader.close()
    checkpointer?.close()
    port.close()
    return
  }
  port.postMessage(answer(request))
})

function answer(request: Exclude<Request, { kind: 'close' }>): Answer {
  try {
    if (request.kind === 'rows') return { id: request.id, rows: reader.all(request.sql, request.params) }
    checkpointer ??= new Connection(driver.open(path, { timeout: READER_MS }))
    if (request.kind === 'checkpoint') return { id: request.id, rows: checkpointer.all(`pragma wal_checkpoint(${request.mode})`) }
    checkpointer.exec('vacuum')
    return { id: request.id, rows: checkpointer.all('pragma wal_checkpoint(truncate)') }
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : String(error) }
  }
}
