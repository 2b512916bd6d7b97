/**
 * Forwards each POST and its answer: `forward.ts <port> <port of the other server>`. Measures the cost of any intermediary
 * between two processes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Pool } from 'undici'

const [port, other] = process.argv.slice(2)
const pool = new Pool(`http://127.0.0.1:${other}`)
createServer((request, response) => void forward(request, response)).listen(Number(port), '127.0.0.1')

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.end()
  const body = await text(request)
  const headers = { 'content-type': 'application/json' }
  const answer = await pool.request({ method: 'POST', path: request.url ?? '/', headers, body })
  response.writeHead(answer.statusCode, headers).end(await answer.body.text())
}
process.on('SIGTERM', () => process.exit(0))
