/** A model provider that answers immediately, below `/slow` after 150 to 350 ms, and below `/hang` never. */
import { createServer } from 'node:http'

const piece = (choices: object[], more: object = {}): string => `data: ${JSON.stringify({ choices, ...more })}\n\n`
const ANSWER = [
  piece([{ index: 0, delta: { content: 'Here you are.' } }]),
  piece([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  piece([], { usage: { prompt_tokens: 20, completion_tokens: 5 } }),
  'data: [DONE]\n\n',
].join('')

const LEAST_MS = 150
const MOST_MS = 350

/** Times of answers below `/slow`: each whole millisecond once, in an order that is the same in every process. */
function shuffledTimes(): readonly number[] {
  const times = Array.from({ length: MOST_MS - LEAST_MS + 1 }, (_, n) => LEAST_MS + n)
  let seed = 1
  for (let last = times.length - 1; last > 0; last--) {
    seed = (seed * 48_271) % 2_147_483_647
    const other = seed % (last + 1)
    const time = times[last] as number
    times[last] = times[other] as number
    times[other] = time
  }
  return times
}

// Connections that all waited for the same time would come in waves, and queue behind each other.
const times = shuffledTimes()
let answered = 0
const nextMs = (): number => times[answered++ % times.length] as number

createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/hang')) return
  const answer = (): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER)
  request.on('end', () => (request.url?.startsWith('/slow') ? setTimeout(answer, nextMs()) : answer()))
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
