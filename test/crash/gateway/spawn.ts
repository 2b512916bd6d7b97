import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mainThreadCpu } from './blocks.ts'

export type ToGateway =
  | { readonly start: Readonly<Record<string, string>> }
  | { readonly stop: true }
  | { readonly measure: true }
  | { readonly watch: 'begin' | 'end' }
export type FromGateway =
  | { readonly ready: true }
  | { readonly url: string }
  | { readonly memory: Memory }
  | { readonly watching: true }
  | { readonly longestBlock: number }
/** Resources of the process, after a garbage collection. */
export interface Memory {
  /** Heap in bytes. */
  readonly heapUsed: number
  readonly rss: number
  readonly sockets: number
}

export interface GatewayProcess {
  readonly url: string
  readonly exited: Promise<unknown>
  memory(): Promise<Memory>
  /** Returns the CPU time of the main thread, in nanoseconds. Linux only. */
  cpu(): number
  /** Returns the number of its open file descriptors; undefined where /proc is missing. */
  descriptors(): number | undefined
  /** Returns the maximum CPU time of one turn of the main thread's event loop during `run`, in nanoseconds. Linux only. */
  longestBlock(run: () => Promise<unknown>): Promise<number>
  /** Stops the process as SIGSTOP does, for that long. */
  pause(ms: number): Promise<void>
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** Stops as on a signal to end: running calls are answered. Resolves when the process is gone. */
  stop(): Promise<void>
}

export interface WarmProcess {
  /** Settles when everything is loaded. */
  readonly ready: Promise<unknown>
  /** Boots the gateway in it. If the process ends instead, fails with its output. */
  start(env: Readonly<Record<string, string>>): Promise<GatewayProcess>
  kill(): Promise<void>
}

const standard = join(import.meta.dirname, 'main.ts')

/** Starts a process with the gateway loaded and not booted, so that loading costs no time between two starts. */
export function warmGateway(program = standard): WarmProcess {
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--test'))
  const child = spawn(process.execPath, [...flags, '--expose-gc', program], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const exited = once(child, 'exit')
  const ready = answer(child, exited, () => said, 'ready')
  ready.catch(() => undefined)
  const ask = async <K extends string>(message: ToGateway, member: K) => {
    const answered = answer(child, exited, () => said, member)
    child.send(message)
    return answered
  }
  const pause = async (ms: number): Promise<void> => {
    child.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, ms))
    child.kill('SIGCONT')
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    ready,
    async start(env) {
      await ready
      const { url } = await ask({ start: env }, 'url')
      const stop = async (): Promise<void> => {
        child.send({ stop: true })
        await exited
      }
      const longestBlock = async (run: () => Promise<unknown>): Promise<number> => {
        await ask({ watch: 'begin' }, 'watching')
        await run()
        return (await ask({ watch: 'end' }, 'longestBlock')).longestBlock
      }
      const memory = async (): Promise<Memory> => (await ask({ measure: true }, 'memory')).memory
      const descriptors = (): number | undefined => {
        const folder = `/proc/${child.pid}/fd`
        return existsSync(folder) ? readdirSync(folder).length : undefined
      }
      return { url, exited, pause, kill, stop, memory, cpu: () => mainThreadCpu(child.pid), descriptors, longestBlock }
    },
    kill,
  }
}

type With<K extends string> = Extract<FromGateway, Readonly<Record<K, unknown>>>

function answer<K extends string>(child: ChildProcess, exited: Promise<unknown>, said: () => string, member: K): Promise<With<K>> {
  return new Promise((resolve, reject) => {
    const listen = (message: FromGateway): void => {
      if (!(member in message)) return
      child.off('message', listen)
      resolve(message as With<K>)
    }
    child.on('message', listen)
    void exited.then(() => reject(new Error(`the gateway’s process ended: ${said()}`)))
  })
}
