import { admits, type Gateway } from '@gateway/kernel'
import {
  BadRequest,
  cutText,
  NotFound,
  type Prompt as OfferedPrompt,
  type Principal,
  type PromptMessage,
  promptVariants,
} from '@gateway/sdk'
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { boundedResult } from './bounded-result.ts'
import { IncomingCall } from './incoming-call.ts'
import { INVALID_PARAMS, RpcError, SERVER_ERROR } from './jsonrpc.ts'
import { type Methods, stringParam, textArguments } from './methods.ts'
import { pages } from './pages.ts'

/** Variants of one prompt that are listed; the prompt itself knows them all. */
const MAX_VARIANTS = 1_000

export function promptMethods(gateway: Gateway): Methods {
  const { prompts } = gateway.inventory
  const entries = [...prompts.values()].map(
    ({ item }) => ({ name: item.name, description: item.description, arguments: [...item.arguments] }) satisfies Prompt,
  )
  const fixed = pages('prompts', entries, gateway.settings.mcpPageSize)

  async function variantsOf(principal: Principal): Promise<readonly Prompt[]> {
    if (principal.confinedTo !== undefined || !admits(principal, 'read', gateway.settings.rbacEnforce)) return []
    const sources = gateway.collect(promptVariants, principal).flatMap((source) => {
      const prompt = prompts.get(source.prompt)?.item
      return prompt ? [{ source, prompt }] : []
    })
    const lists = sources.map(async ({ source, prompt }) => {
      const others = prompt.arguments.filter(({ name }) => name !== source.argument)
      return (await source.list())
        .slice(0, MAX_VARIANTS)
        .map(({ value, description }) => ({ name: `${source.prompt}-${value}`, description, arguments: [...others] }))
    })
    return (await Promise.all(lists)).flat()
  }

  function named(name: string, principal: Principal): { prompt: OfferedPrompt; given: Readonly<Record<string, string>> } | undefined {
    const exact = prompts.get(name)?.item
    if (exact) return { prompt: exact, given: {} }
    for (const { prompt, argument } of gateway.collect(promptVariants, principal)) {
      const item = prompts.get(prompt)?.item
      if (item && name.startsWith(`${prompt}-`)) return { prompt: item, given: { [argument]: name.slice(prompt.length + 1) } }
    }
    return undefined
  }

  return {
    'prompts/list': async (params, { principal }) => {
      const variants = await variantsOf(principal)
      return variants.length === 0 ? fixed(params) : pages('prompts', [...entries, ...variants], gateway.settings.mcpPageSize)(params)
    },
    'prompts/get': async (params, caller) => {
      const name = stringParam(params, 'name')
      const found = named(name, caller.principal)
      const unknown = (): RpcError => new RpcError(INVALID_PARAMS, `Unknown prompt: ${cutText(name, 200)}`)
      if (found === undefined) throw unknown()
      const { prompt, given } = found
      const outcome = await gateway.renderPrompt(new IncomingCall(prompt.name, { ...textArguments(params), ...given }, 'mcp', caller))
      if (outcome.ok) {
        const { messages } = outcome.result as { messages: readonly PromptMessage[] }
        return boundedResult(rendered(prompt.description, messages), gateway, caller)
      }
      if (outcome.error.code === NotFound.code && Object.keys(given).length > 0) throw unknown()
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
