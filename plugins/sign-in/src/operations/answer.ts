import type { Exchange } from '@gateway/sdk'

/** A whole JSON answer that sets cookies. */
export function answer(exchange: Exchange, status: number, body: object, cookies: readonly string[]): void {
  exchange.answer(status, { 'content-type': 'application/json; charset=utf-8', 'set-cookie': cookies }).end(JSON.stringify(body))
}
