import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutgoingRequest } from '../src/api.ts'
import { OutgoingHttp, type OutgoingLimits } from '../src/operations/outgoing-http.ts'

export const LIMITS: OutgoingLimits = {
  callsPerTenant: 64,
  callsPerOrigin: 128,
  calls: 512,
  connections: 8,
  maxRequestBytes: 1_000_000,
  failureThreshold: 1_000,
  cooldownSeconds: 30,
}

/** Outgoing calls with a stopped clock, and a caller who may leave. */
export function caller(http: OutgoingHttp, { tenantId = 'acme' } = {}) {
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const gone = new AbortController()
  const ctx = { tenantId, signal: gone.signal, now: () => new Date(clock.now) }
  const request = (url: string, more: Partial<OutgoingRequest>): OutgoingRequest => ({ url, reach: 'loopback', ...more })
  return {
    clock,
    gone,
    send: (url: string, more: Partial<OutgoingRequest> = {}) => http.send(request(url, more), ctx),
    open: (url: string, more: Partial<OutgoingRequest> = {}) => http.open(request(url, more), ctx),
  }
}

export function outgoing(limits: Partial<OutgoingLimits> = {}, resolve?: ConstructorParameters<typeof OutgoingHttp>[1]) {
  const http = new OutgoingHttp({ ...LIMITS, ...limits }, resolve)
  return { http, ...caller(http), [Symbol.asyncDispose]: () => http.close() }
}

/** A server on the loopback that records what it receives. */
export async function server(answer: RequestListener) {
  const received: { headers: IncomingHttpHeaders; body: Buffer; method: string | undefined }[] = []
  const listening = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts), method: request.method })
      answer(request, response)
    })
  })
  let opened = 0
  let busy = 0
  listening.on('connection', () => opened++)
  // Counted by answers: leaving one closes its connection, and undici opens a new one on which nothing is sent.
  listening.on('request', (_request, response) => {
    busy++
    response.on('close', () => busy--)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`,
    received,
    /** Connections with a running answer, and all that ever existed. */
    connections: () => ({ busy, opened }),
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

/** For `assert.rejects`: the error has this code and these details. */
export function refusal(code: string, details: object = {}): (error: unknown) => boolean {
  return (error) => {
    const came = error as { code?: string; message: string; details?: Record<string, unknown> }
    assert.equal(came.code, code, String(error))
    for (const [name, value] of Object.entries(details)) assert.deepEqual(came.details?.[name], value, came.message)
    return true
  }
}

/** Resolves once `holds` is true, however long the machine takes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
