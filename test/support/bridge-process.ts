import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Message = any

/** `gateway mcp` in its own process. */
export interface BridgeProcess {
  /** Sends a request and waits for its answer; others may be pending at the same time. */
  request(method: string, params: object): Promise<Message>
  notify(method: string, params?: object): void
  readonly lastId: number
  notification(method: string): Promise<Message>
  /** Closes its input; it must exit with 0 and no error output. */
  close(): Promise<void>
}

const program = join(import.meta.dirname, '../../bin/gateway.js')

/** For clients that start the bridge themselves. */
export const bridgeCommand = (url: string) => ({ command: process.execPath, args: [program, 'mcp', '--url', url] })

export function startBridge(url: string, env: Readonly<Record<string, string>> = {}): BridgeProcess {
  const { command, args } = bridgeCommand(url)
  const child = spawn(command, args, { env: { PATH: process.env.PATH ?? '', ...env } })
  const exited = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (part: Buffer) => (complaints += part.toString()))
  const notifications = new EventEmitter()
  const waiting = new Map<number, (answer: Message) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: Message = JSON.parse(line)
    if (message.method !== undefined) notifications.emit(message.method, message)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let asked = 0
  return {
    async request(method, params) {
      const id = ++asked
      const answer = new Promise<Message>((resolve, reject) => {
        waiting.set(id, resolve)
        void exited.then(() => reject(new Error(`the bridge ended: ${complaints}`)))
      })
      send({ id, method, params })
      return await answer
    },
    notify: (method, params) => send({ method, ...(params && { params }) }),
    get lastId() {
      return asked
    },
    notification: async (method) => (await once(notifications, method))[0],
    async close() {
      child.stdin.end()
      assert.deepEqual([await exited, complaints], [[0, null], ''])
    },
  }
}
