/**
 * A tenant's own tool, in plain Node and on one screen: the gateway POSTs each call here, signed with the secret that
 * `plugin_tools_register` showed. This one counts the words of a text.
 *
 *     HANDLER_SECRET=pts_… PORT=8443 node handler.mjs
 *
 * Put it behind a server that terminates TLS; the gateway calls https only, except for a handler on its own machine.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { argv, env } from 'node:process'
import { fileURLToPath } from 'node:url'

/** An older call is a replay of a recorded one. */
const MAX_AGE_SECONDS = 300
/** The gateway sends less than this. */
const MAX_BYTES = 1_000_000

/** The tools of this handler. The arguments were already validated against the schema that each was registered with. */
const tools = {
  count_words: ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
}

/** True if the gateway sent these bytes, and just now. */
export function isFromGateway(secret, headers, body, nowMs = Date.now()) {
  const timestamp = headers['x-gateway-timestamp'] ?? ''
  if (!/^\d+$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > MAX_AGE_SECONDS) return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`)
  const given = Buffer.from(headers['x-gateway-signature'] ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export function createHandler(secret, now = Date.now) {
  return createServer((request, response) => void serve(request, response))

  async function serve(request, response) {
    const answer = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    try {
      if (request.method !== 'POST') return answer(405, { error: 'POST only' })
      const body = await read(request)
      if (body === undefined) return answer(413, { error: 'too large' })
      // The signature is checked before the body is read.
      if (!isFromGateway(secret, request.headers, body, now())) return answer(401, { error: 'not signed by the gateway' })
      const { tool, arguments: args } = JSON.parse(body)
      if (!Object.hasOwn(tools, tool)) return answer(404, { error: 'no such tool' })
      // A refusal that an agent should read has status 200: of any other status it sees the status alone.
      return answer(200, await tools[tool](args))
    } catch (error) {
      console.error(error)
      return answer(500, { error: 'it broke' })
    }
  }
}

async function read(request) {
  const parts = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > MAX_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if (!env.HANDLER_SECRET) throw new Error('HANDLER_SECRET is missing: it is the secret that plugin_tools_register answered with')
  createHandler(env.HANDLER_SECRET).listen(Number(env.PORT ?? 8_443))
}
