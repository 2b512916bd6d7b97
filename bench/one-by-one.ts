/**
 * Makes calls one after another, with the client that the gateway itself uses: each of the requests in turn. Runs as its own
 * process: a job on stdin, the median of each in milliseconds on stdout, both JSON.
 */
import { text } from 'node:stream/consumers'
import { inTurn } from './in-turn.ts'
import { type Turn, turnTaker } from './turn.ts'

export interface TurnJob {
  readonly seconds: number
  readonly requests: Readonly<Record<string, Turn>>
}

const { seconds, requests }: TurnJob = JSON.parse(await text(process.stdin))
const turns = Object.entries(requests).map(([name, request]) => [name, turnTaker(request)] as const)
console.log(JSON.stringify(await inTurn(seconds, Object.fromEntries(turns))))
