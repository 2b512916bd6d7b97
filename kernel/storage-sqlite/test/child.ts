import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface WriterProcess {
  readonly pid: number
  /** Ids of the documents whose insertion it acknowledged. */
  readonly ids: readonly string[]
  /** Resolves when at least this many are acknowledged. */
  acknowledged(count: number): Promise<void>
  /** SIGKILL: it gets no chance to clean up. */
  kill(): Promise<void>
}

/** A separate process that opens the store and inserts notes without end, printing each id once it is acknowledged. */
export async function startWriter(dataDir: string): Promise<WriterProcess> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('writer-process.ts', import.meta.url)), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ids: string[] = []
  let wake = (): void => {}
  createInterface({ input: child.stdout }).on('line', (id) => {
    ids.push(id)
    wake()
  })
  const exited = once(child, 'exit')
  const acknowledged = async (count: number): Promise<void> => {
    while (ids.length < count) {
      await Promise.race([
        new Promise<void>((resolve) => {
          wake = resolve
        }),
        exited.then(() => Promise.reject(new Error('the writer ended by itself'))),
      ])
    }
  }
  await acknowledged(1)
  return {
    pid: child.pid as number,
    ids,
    acknowledged,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
