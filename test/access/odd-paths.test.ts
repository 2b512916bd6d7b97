import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

const env = { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', GATEWAY_EMBEDDINGS: 'off' }

/** Path parts and query values as sent in a request line: bytes that are not UTF-8, no text, no name, or far too long. */
const ODD = [
  '%00',
  'x%00y',
  '%',
  '%zz',
  '%ff%fe',
  '%c0%af',
  '%ed%a0%80',
  '\xff',
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%5c..%5c',
  '__proto__',
  'constructor',
  'toString',
  '_gateway',
  '%E2%80%AE',
  "'%3B--",
  '%7B%7D',
  'x'.repeat(300),
  'x'.repeat(9_000),
]

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly name: string; readonly in: string }[] }>>>
  >
}

test('no odd part of a path, nor an odd value of a query, makes any route fail with 500, whoever sends it', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env, listen: true })
  const { port } = new URL(gateway.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const send = (method: string, path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const body = method === 'GET' ? '' : '{}'
      const ofBody = { 'content-length': body.length, ...(body !== '' && { 'content-type': 'application/json' }) }
      const sent = request({ port, agent, method, path, headers: { ...headers, ...ofBody } })
      sent.on('response', (answer) => {
        answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', reject)
        // An endless stream counts as answered when its head arrives.
        if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
          resolve(answer.statusCode ?? 0)
          answer.destroy()
        } else answer.resume()
      })
      sent.on('error', (error) => reject(new Error(`${method} ${path.slice(0, 120)}: ${error.message}`))).end(body)
    })

  const { paths } = (await (await fetch(`${gateway.url}/api/openapi.json`)).json()) as Described
  const basic = `Basic ${Buffer.from('x:gwb_x').toString('base64')}`
  const callers = [{}, { authorization: basic }, { 'x-admin-token': env.ADMIN_API_TOKEN }]
  const lines: [method: string, path: string][] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      const filled = path.replaceAll(/\{\w+\}/g, 'sample')
      for (const odd of ODD) {
        if (path.includes('{')) lines.push([method.toUpperCase(), path.replaceAll(/\{\w+\}/g, odd)])
        for (const { name } of parameters.filter((one) => one.in === 'query'))
          lines.push([method.toUpperCase(), `${filled}?${name}=${odd.slice(0, 300)}`])
      }
    }
  }
  for (const odd of ODD)
    for (const before of ['', '/git/', '/api/', '/api/tools/', '/mcp/', '/mcp/t/', '//']) lines.push(['GET', `/${before}${odd}`])

  const found = new Set<string>()
  let at = 0
  const lane = async (): Promise<void> => {
    for (let line = lines[at++]; line; line = lines[at++]) {
      const [method, path] = line
      // Each caller sends every odd part to a third of the routes, and each route gets odd parts of every caller.
      const headers = callers[(at + Math.floor(at / ODD.length)) % callers.length] as Record<string, string>
      const status = await send(method, path, headers)
      if (status === 500) found.add(`${method} ${path.slice(0, 120)} ${status}`)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  agent.destroy()
  assert.ok(lines.length > 2_000, `${lines.length} lines were sent`)
  assert.deepEqual([...found], [])
  const faults = gateway.logs.filter(({ level, err }) => (level as number) >= 50 && err !== undefined)
  assert.deepEqual(
    faults.map(({ operation, msg, err }) => `${operation ?? ''} ${msg}: ${(err as Error).message}`),
    [],
  )
})
