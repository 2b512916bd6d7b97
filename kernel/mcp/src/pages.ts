import { hash } from 'node:crypto'
import { INVALID_PARAMS, nameOf, type Params, RpcError } from './jsonrpc.ts'

/** Returns the page that a request asks for. An empty cursor asks for the first one; a cursor of another list throws RpcError. */
export type Pages = (params: Params) => Buffer

/**
 * A list cut into pages, each serialised once and kept as bytes. A cursor names the list by its content, so that a cursor of
 * another list, or of an older version, is refused instead of skipping or repeating entries.
 */
export function pages(member: string, entries: readonly object[], size: number): Pages {
  const items = entries.map((entry) => JSON.stringify(entry))
  const cursors = cursorsOf(member, items, size)
  const made = [0, ...cursors.keys()].map((_, page) => {
    const next = cursors[page]
    const list = items.slice(page * size, (page + 1) * size).join(',')
    return Buffer.from(`{"${member}":[${list}]${next === undefined ? '' : `,"nextCursor":"${next}"`}}`)
  })
  return ({ cursor }) => {
    const isFirst = cursor === undefined || cursor === null || cursor === ''
    const page = isFirst ? 0 : cursors.indexOf(cursor as string) + 1
    if (!isFirst && page === 0) {
      throw new RpcError(INVALID_PARAMS, `Invalid params: cursor must be a nextCursor of this list as it is now; got ${nameOf(cursor)}`)
    }
    return made[page] as Buffer
  }
}

function cursorsOf(member: string, items: readonly string[], size: number): string[] {
  const further = Math.max(0, Math.ceil(items.length / size) - 1)
  if (further === 0) return []
  const list = hash('sha256', `${member} ${items.join()}`, 'base64url').slice(0, 16)
  return Array.from({ length: further }, (_, i) => `${list}.${i + 1}`)
}
