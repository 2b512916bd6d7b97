import { cutText, repairText } from '@gateway/sdk'
import { isObject } from './jsonrpc.ts'

const MAX_LENGTH = 200

/** Name and version of a client by its own `clientInfo`, as `claude-code 2.1`; undefined if it reports none. */
export function clientNameOf(clientInfo: unknown): string | undefined {
  if (!isObject(clientInfo) || typeof clientInfo.name !== 'string' || clientInfo.name === '') return undefined
  const version = typeof clientInfo.version === 'string' && clientInfo.version !== '' ? ` ${clientInfo.version}` : ''
  return repairText(cutText(`${clientInfo.name}${version}`, MAX_LENGTH))
}
