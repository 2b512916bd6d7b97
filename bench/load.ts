/**
 * The load generator: keep-alive HTTP/1.1 over raw sockets, each connection sending its next request when the last is answered.
 * Requests are bytes made before the clock starts and answers are only framed, not parsed, so that one core of load is
 * worth several of a common HTTP client. Runs as its own process: a job on stdin, the results on stdout, both JSON.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { answerEnd } from './framing.ts'

/** A step: the same request from every connection until `count` are sent or `seconds` are over. */
export interface Step {
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
  /** Text that every good answer contains. */
  readonly expect: string
  readonly count?: number
  readonly seconds?: number
  /** Steps of one name are reported together; a step without a name prepares or warms up. */
  readonly name?: string
  /** True if each request has an idempotency key of its own. */
  readonly keys?: boolean
}
export interface Job {
  readonly port: number
  readonly connections: number
  readonly steps: readonly Step[]
}
export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

interface Ran {
  /** Latencies in milliseconds. */
  readonly latencies: readonly number[]
  /** Answers while every socket had a request to send, and the seconds that took: the rest is fewer connections. */
  readonly answered: number
  readonly seconds: number
}

async function runStep(sockets: readonly Socket[], step: Step): Promise<Ran> {
  const request = requestBytes(step)
  const expected = Buffer.from(step.expect)
  const latencies: number[] = []
  const began = performance.now()
  const deadline = step.seconds === undefined ? Number.POSITIVE_INFINITY : began + step.seconds * 1000
  let left = step.count ?? Number.POSITIVE_INFINITY
  let full: Pick<Ran, 'answered' | 'seconds'> | undefined

  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0
          let pending: Buffer | undefined
          const send = (): void => {
            if (left <= 0 || performance.now() >= deadline) {
              full ??= { answered: latencies.length, seconds: (performance.now() - began) / 1000 }
              socket.off('data', receive).off('close', closed)
              resolve()
              return
            }
            left -= 1
            sentAt = performance.now()
            socket.write(step.keys === true ? withKey(request) : request)
          }
          const receive = (chunk: Buffer): void => {
            const answer = pending === undefined ? chunk : Buffer.concat([pending, chunk])
            if (answerEnd(answer) !== answer.length) {
              pending = answer
              return
            }
            pending = undefined
            if (!answer.includes(expected)) {
              reject(new Error(`${step.path} answered without ${step.expect}:\n${answer}`))
              return
            }
            latencies.push(performance.now() - sentAt)
            send()
          }
          const closed = (): void => reject(new Error(`${step.path}: the server closed the connection`))
          socket.on('data', receive).on('close', closed)
          send()
        }),
    ),
  )
  return { latencies, ...(full ?? { answered: 0, seconds: 0 }) }
}

const KEY = `bench-${process.pid}-${Date.now()}-`
const KEY_HEADER = `idempotency-key: ${KEY}`
const DIGITS = 9
let keys = 0

/** Returns the request with the next key in place of the one it has, which is of the same length. */
function withKey(request: Buffer): Buffer {
  const copy = Buffer.from(request)
  copy.write(String(keys++).padStart(DIGITS, '0'), copy.indexOf(KEY_HEADER) + KEY_HEADER.length, 'latin1')
  return copy
}

function requestBytes({ path, body, headers = {}, keys = false }: Step): Buffer {
  const json = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(json)}`,
    ...(keys ? [`${KEY_HEADER}${'0'.repeat(DIGITS)}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`)
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

function figures({ latencies, answered, seconds }: Ran): Figures {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { perSecond: answered / seconds, p50: at(0.5), p99: at(0.99) }
}

function sum(ran: Ran, before: Ran | undefined): Ran {
  if (before === undefined) return ran
  return {
    latencies: [...before.latencies, ...ran.latencies],
    answered: before.answered + ran.answered,
    seconds: before.seconds + ran.seconds,
  }
}

const job: Job = JSON.parse(await text(process.stdin))
const sockets = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
const totals = new Map<string, Ran>()
for (const step of job.steps) {
  const ran = await runStep(sockets, step)
  if (step.name !== undefined) totals.set(step.name, sum(ran, totals.get(step.name)))
}
for (const socket of sockets) socket.destroy()
console.log(JSON.stringify(Object.fromEntries([...totals].map(([name, total]) => [name, figures(total)]))))
