import { boundedAnswer, errorRecord, type Gateway } from '@gateway/kernel'
import { isToolError } from '@gateway/sdk'
import { RpcError, SERVER_ERROR } from './jsonrpc.ts'
import type { McpCaller } from './methods.ts'

/** The result of a method that answers a failure with a protocol error. */
export function boundedResult(json: string, { settings }: Pick<Gateway, 'settings'>, { requestId }: McpCaller): string {
  try {
    return boundedAnswer(json, settings.answerLimitBytes)
  } catch (error) {
    if (!isToolError(error)) throw error
    const record = errorRecord(error, requestId)
    throw new RpcError(SERVER_ERROR, record.error, record)
  }
}
