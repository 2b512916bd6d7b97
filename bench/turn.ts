import { Pool } from 'undici'

export interface Turn {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  /** Text that every good answer contains. */
  readonly expect: string
}

/** Returns a function that sends the request over a kept connection, once per call. */
export function turnTaker({ port, path, headers, body, expect }: Turn): () => Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 })
  const request = { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) } as const
  return async () => {
    const answer = await pool.request(request)
    const said = await answer.body.text()
    if (!said.includes(expect)) throw new Error(`${path} answered without ${expect}: ${said}`)
  }
}
