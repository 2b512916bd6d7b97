import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Read {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly json: any
}

/** `fetch` for JSON: an object is sent as JSON, a string unchanged; the whole answer is read. */
export async function send(url: string, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}): Promise<Read> {
  const { method = init.body === undefined ? 'GET' : 'POST', body, headers = {} } = init
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Fails unless the answer is an error record of this status and code with the request's id. */
export function assertRecord(read: Read, status: number, code: string): void {
  assert.equal(read.status, status, read.text)
  assert.deepEqual([read.json?.code, typeof read.json?.error], [code, 'string'], read.text)
  assert.equal(read.json.requestId, read.headers.get('x-request-id'))
}

/** Sends bytes unchanged and returns everything the server sent until it closed the connection. */
export async function talk(url: string, bytes: string | Buffer): Promise<string> {
  const socket = open(url)
  socket.write(bytes)
  return await heard(socket)
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** The next chunk; a short answer arrives at once. */
export async function said(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString()
}

/** Everything until the server closes the connection. */
export async function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  return Buffer.concat(chunks).toString()
}
