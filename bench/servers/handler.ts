/** Handlers of tenants' tools, by path: one works; the others hang, drip, answer hugely or answer garbage. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** Bad answers are late, so that their cost and not their number is measured. */
const LATE_MS = 250
const DRIP_MS = 50
const OK = JSON.stringify({ ok: true })
const LARGE = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => ({ i })))
const GARBAGE = ['[{"a":'.repeat(80_000), '\0'.repeat(500_000), `${LARGE.slice(0, -1)}]]`, '<html>', '']

let turn = 0
const later = (answer: () => void): void => void setTimeout(answer, LATE_MS)
const begin = (response: ServerResponse): ServerResponse => response.writeHead(200, { 'content-type': 'application/json' })

const handlers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/echo': (response) => void begin(response).end(OK),
  '/hang': () => {},
  '/drip'(response) {
    begin(response)
    const timer = setInterval(() => response.write(' '), DRIP_MS)
    response.on('close', () => clearInterval(timer))
  },
  '/huge': (response) => later(() => (turn++ % 2 === 0 ? begin(response).end(LARGE) : pour(begin(response)))),
  '/garbage': (response) => later(() => begin(response).end(GARBAGE[turn++ % GARBAGE.length])),
}

/** Sends an endless answer. */
function pour(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(LARGE));
  }
  response.on('drain', more)
  more()
}

createServer((request: IncomingMessage, response: ServerResponse) => {
  if (request.method !== 'POST') return void response.end(OK)
  void text(request).then(() => handlers[request.url ?? '']?.(response))
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
