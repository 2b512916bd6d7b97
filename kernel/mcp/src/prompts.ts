import type { Gateway } from '@gateway/kernel'
import { BadRequest, cutText, type PromptMessage } from '@gateway/sdk'
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { boundedResult } from './bounded-result.ts'
import { type Methods, stringParam, textArguments } from './dispatcher.ts'
import { FaceCall } from './face-call.ts'
import { INVALID_PARAMS, RpcError, SERVER_ERROR } from './jsonrpc.ts'
import { pages } from './pages.ts'

export function promptMethods(gateway: Gateway): Methods {
  const { prompts } = gateway.inventory
  const entries = [...prompts.values()].map(
    ({ item }) => ({ name: item.name, description: item.description, arguments: [...item.arguments] }) satisfies Prompt,
  )
  return {
    'prompts/list': pages('prompts', entries, gateway.settings.mcpPageSize),
    'prompts/get': async (params, caller) => {
      const name = stringParam(params, 'name')
      const prompt = prompts.get(name)?.item
      if (prompt === undefined) throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${cutText(name, 200)}`)
      const outcome = await gateway.renderPrompt(new FaceCall(name, textArguments(params), 'mcp', caller))
      if (outcome.ok) {
        const { messages } = outcome.result as { messages: readonly PromptMessage[] }
        return boundedResult(rendered(prompt.description, messages), gateway, caller)
      }
      caller.refused?.(outcome)
      const code = outcome.error.code === BadRequest.code ? INVALID_PARAMS : SERVER_ERROR
      throw new RpcError(code, outcome.error.error, outcome.error)
    },
  }
}

function rendered(description: string, messages: readonly PromptMessage[]): string {
  return JSON.stringify({
    description,
    messages: messages.map(({ role, text, content }) => ({ role, content: content ?? { type: 'text', text } })),
  } satisfies GetPromptResult)
}
