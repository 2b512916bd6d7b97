import { boundedAnswer, errorRecord, fits, type Gateway, type Outcome, UnknownTool } from '@gateway/kernel'
import { type ContentBlock, cutText, type ErrorRecord, isToolError } from '@gateway/sdk'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type CallHeaders, IncomingCall } from './incoming-call.ts'
import { INVALID_PARAMS, isObject, nameOf, type Params, RpcError } from './jsonrpc.ts'
import { type Methods, stringParam } from './methods.ts'
import { OWN_META } from './own-meta.ts'
import { perCaller, toolPages } from './tool-list.ts'

export function toolMethods(gateway: Gateway): Methods {
  const list = perCaller(gateway, toolPages(gateway))
  const { routes, tools } = gateway.inventory
  /** A tool that calls others passes their refusals on, including one to call itself: those are results. */
  const isMissing = (name: string, { code, details }: ErrorRecord): boolean =>
    code === UnknownTool.code && !tools.has(name) && (details as { name?: unknown } | undefined)?.name === name
  return {
    'tools/list': (params, { principal, view }) => {
      const pages = list(principal, view)
      return pages instanceof Promise ? pages.then((page) => page(params)) : pages(params)
    },
    'tools/call': async (params, caller) => {
      const name = stringParam(params, 'name')
      // Plain routes share the kernel's names but are not tools.
      if (routes.has(name)) throw unknownTool(name)
      const outcome = await gateway.invoke(new IncomingCall(name, toolArguments(params), 'mcp', caller, callHeaders(params)))
      const replayed = replayMeta(outcome)
      if (outcome.ok) {
        try {
          return withMeta(toolResult(outcome, gateway.settings.answerLimitBytes), replayed)
        } catch (error) {
          if (!isToolError(error)) throw error
          return toolRefusal(errorRecord(error, caller.requestId))
        }
      }
      caller.refused?.(outcome)
      if (isMissing(name, outcome.error)) throw unknownTool(name)
      return withMeta(toolRefusal(outcome.error), replayed)
    },
  }
}

interface Answered {
  readonly result: object
  readonly content?: readonly ContentBlock[] | undefined
}

/**
 * The result as an object for programs, and as the same JSON in text for clients that know only text. Both count; if they are
 * too large together, the text says so in place of the JSON. Throws ANSWER_TOO_LARGE.
 */
function toolResult({ result, content }: Answered, limitBytes: number): string {
  const json = boundedAnswer(JSON.stringify(result), limitBytes)
  if (content !== undefined) {
    // Content that is the whole result is not repeated as structure.
    const isWhole = (result as { content?: unknown }).content === content
    return boundedAnswer(`{"content":${JSON.stringify(content)}${isWhole ? '' : `,"structuredContent":${json}`}}`, limitBytes)
  }
  const both = withText(json, json)
  if (fits(both, limitBytes)) return both
  return withText(`The result is only in structuredContent: as text it would be too large. Ask for less to read it here.`, json)
}

const withText = (text: string, json: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${json}}`

/** A refusal is a result too, so that a model reads the sentence and can correct its call. */
function toolRefusal(record: ErrorRecord): string {
  return JSON.stringify({
    content: [{ type: 'text', text: record.error }],
    structuredContent: { ...record },
    isError: true,
  } satisfies CallToolResult)
}

/** True if a result of `tools/call` is a refusal: no other ends this way. */
export const isRefusal = (result: string | Buffer): boolean => typeof result === 'string' && result.endsWith(',"isError":true}')

/** A request names its own trace and key: several may arrive in one HTTP request. */
const callHeaders = ({ _meta: meta }: Params): CallHeaders =>
  isObject(meta) ? { traceparent: meta.traceparent, idempotencyKey: meta['gateway/idempotencyKey'] } : {}

/** `_meta` of the first answer to an idempotency key, repeated. */
const replayMeta = ({ replayed, omitted }: Outcome): object | undefined =>
  replayed ? { 'gateway/replayed': true, ...(omitted && { 'gateway/omitted': omitted }) } : undefined

const withMeta = (result: string, meta: object | undefined): string =>
  meta === undefined ? result : `${OWN_META}${JSON.stringify(meta).slice(1)},${result.slice(1)}`

/** Some clients send `null` for a tool without arguments. */
function toolArguments(params: Params): object {
  const args = params.arguments ?? {}
  if (!isObject(args)) throw new RpcError(INVALID_PARAMS, `Invalid params: arguments must be an object; got ${nameOf(args)}`)
  return args
}

function unknownTool(name: string): RpcError {
  return new RpcError(INVALID_PARAMS, `Unknown tool: ${cutText(name, 200)}`)
}
