/** A model provider that answers immediately, below `/slow` after a quarter of a second, and below `/hang` never. */
import { createServer } from 'node:http'

const piece = (choices: object[], more: object = {}): string => `data: ${JSON.stringify({ choices, ...more })}\n\n`
const ANSWER = [
  piece([{ index: 0, delta: { content: 'Here you are.' } }]),
  piece([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  piece([], { usage: { prompt_tokens: 20, completion_tokens: 5 } }),
  'data: [DONE]\n\n',
].join('')

const SLOW_MS = 250

createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/hang')) return
  const answer = (): void => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER)
  request.on('end', () => (request.url?.startsWith('/slow') ? setTimeout(answer, SLOW_MS) : answer()))
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
