import type { Exchange } from '@gateway/sdk'

/** An answer that sets cookies: of JSON, whole. */
export function answer(exchange: Exchange, status: number, body: object, cookies: readonly string[]): void {
  exchange.answer(status, { 'content-type': 'application/json; charset=utf-8', 'set-cookie': cookies }).end(JSON.stringify(body))
}
