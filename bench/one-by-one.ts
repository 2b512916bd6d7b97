/**
 * Calls one after another, with the client that the gateway itself calls with: each of the requests in turn, so that all of them
 * meet the same machine. Runs as its own process: a job on stdin, the median of each in milliseconds on stdout, both JSON.
 */
import { text } from 'node:stream/consumers'
import { Pool } from 'undici'
import { median } from './median.ts'

export interface TurnJob {
  readonly seconds: number
  readonly requests: Readonly<Record<string, Turn>>
}
export interface Turn {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  /** Stands in every good answer. */
  readonly expect: string
}

const WARM_UP = 500
const { seconds, requests }: TurnJob = JSON.parse(await text(process.stdin))
const turns = Object.entries(requests).map(([name, request]) => ({
  name,
  ...request,
  pool: new Pool(`http://127.0.0.1:${request.port}`, { connections: 1 }),
  body: JSON.stringify(request.body),
  took: [] as number[],
}))
for (let round = 0, until = Number.POSITIVE_INFINITY; performance.now() < until; round++) {
  for (const { pool, path, headers, body, expect, took } of turns) {
    const began = performance.now()
    const answer = await pool.request({ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body })
    const said = await answer.body.text()
    if (!said.includes(expect)) throw new Error(`${path} answered without ${expect}: ${said}`)
    if (round >= WARM_UP) took.push(performance.now() - began)
  }
  if (round === WARM_UP) until = performance.now() + seconds * 1000
}
for (const { pool } of turns) await pool.close()
console.log(JSON.stringify(Object.fromEntries(turns.map(({ name, took }) => [name, median(took)]))))
