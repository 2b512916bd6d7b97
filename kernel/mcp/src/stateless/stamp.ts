import type { Result } from '@modelcontextprotocol/client'
import type { Id } from '../jsonrpc.ts'
import { OWN_META } from '../own-meta.ts'
import { type MethodFacts, methods } from './methods.ts'
import { SERVER_INFO } from './protocol.ts'

export const resultMeta = (version: string) => ({ [SERVER_INFO]: { name: 'gateway', version } }) satisfies Result['_meta']

/** Puts the members that this protocol requires in front of a result that is JSON already: nothing is parsed or rebuilt. */
export class Stamps {
  readonly #meta: string
  readonly #complete: ReadonlyMap<string, string>
  readonly #plain: string

  constructor(version: string) {
    this.#meta = JSON.stringify(resultMeta(version))
    this.#complete = new Map([...methods].map(([method, facts]) => [method, this.#members(facts)]))
    this.#plain = this.#members({})
  }

  /** The whole answer to a request. No result of the dispatcher has these members itself. */
  complete(id: Id, method: string, result: string | Buffer): string | Buffer {
    return answer(id, this.#complete.get(method) ?? this.#plain, result)
  }

  /** The whole answer with another type of result, which must not be cached. */
  answer(id: Id, resultType: 'input_required' | 'task', result: string): string {
    return answer(id, `"resultType":"${resultType}","_meta":${this.#meta}`, result)
  }

  #members({ cache }: MethodFacts): string {
    const kept = cache === undefined ? '' : `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.scope}"`
    return `"resultType":"complete"${kept},"_meta":${this.#meta}`
  }
}

function answer(id: Id, members: string, result: string): string
function answer(id: Id, members: string, result: string | Buffer): string | Buffer
function answer(id: Id, members: string, result: string | Buffer): string | Buffer {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":{${members}`
  if (result.length === '{}'.length) return `${head}}}`
  // `_meta` is the last of the members, so that of the result continues it.
  if (typeof result === 'string' && result.startsWith(OWN_META)) return `${head.slice(0, -1)},${result.slice(OWN_META.length)}}`
  return typeof result === 'string' ? `${head},${result.slice(1)}}` : Buffer.concat([Buffer.from(`${head},`), result.subarray(1), CLOSE])
}
const CLOSE = Buffer.from('}')
