import { Pool } from 'undici'
import type { Server } from './processes.ts'

export interface ToolCalls extends AsyncDisposable {
  /** Calls a tool over REST; throws its refusal. */
  call(tool: string, args: object): Promise<Record<string, unknown>>
}

/** Calls tools of a measured service over kept connections, without a timeout. */
export function toolCalls({ port }: Pick<Server, 'port'>, connections: number): ToolCalls {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, headersTimeout: 600_000, bodyTimeout: 600_000 })
  return {
    async call(tool, args) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/api/tools/${tool}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(args),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${tool} answered ${statusCode}: ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}
