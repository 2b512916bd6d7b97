import type { CompletionRequest, Gateway } from '@gateway/kernel'
import { BadRequest, cutText, NotFound } from '@gateway/sdk'
import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js'
import { IncomingCall } from './incoming-call.ts'
import { INVALID_PARAMS, nameOf, type Params, RpcError, SERVER_ERROR } from './jsonrpc.ts'
import { type Methods, objectParam, stringParam, textArguments } from './methods.ts'

/** The protocol's own limit. */
const MAX_VALUES = 100

export function completionMethods(gateway: Gateway): Methods {
  const { prompts, resources } = gateway.inventory
  const exists = ({ of, ref }: CompletionRequest): boolean =>
    of === 'prompt' ? prompts.has(ref) : resources.some(({ item }) => item.uri === ref)
  return {
    'completion/complete': async (params, caller) => {
      const asked = readRequest(params)
      if (!exists(asked)) throw new RpcError(INVALID_PARAMS, `Unknown ${asked.of}: ${cutText(asked.ref, 200)}`)
      const outcome = await gateway.complete(new IncomingCall(asked.ref, {}, 'mcp', caller), asked)
      if (!outcome.ok) {
        const isCallers = outcome.error.code === BadRequest.code || outcome.error.code === NotFound.code
        throw new RpcError(isCallers ? INVALID_PARAMS : SERVER_ERROR, outcome.error.error, outcome.error)
      }
      const { values } = outcome.result as { values: readonly string[] }
      return JSON.stringify({
        completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
      } satisfies CompleteResult)
    },
  }
}

function readRequest(params: Params): CompletionRequest {
  const ref = objectParam(params, 'ref')
  const argument = objectParam(params, 'argument')
  const context = params.context === undefined ? {} : objectParam(params, 'context')
  const name = stringParam(argument, 'name', 'argument.')
  const typed = stringParam(argument, 'value', 'argument.')
  const others = textArguments(context, 'context.')
  if (ref.type === 'ref/prompt') return { of: 'prompt', ref: stringParam(ref, 'name', 'ref.'), argument: name, typed, others }
  if (ref.type === 'ref/resource') return { of: 'resource', ref: stringParam(ref, 'uri', 'ref.'), argument: name, typed, others }
  throw new RpcError(INVALID_PARAMS, `Invalid params: ref.type must be ref/prompt or ref/resource; got ${nameOf(ref.type)}`)
}
