import type { CallRecord } from '@gateway/sdk'
import type { TraceParent } from './trace-parent.ts'

/** Facts about a call until it is sent. */
export interface Span
  extends Pick<CallRecord, 'tool' | 'kind' | 'tenantId' | 'via' | 'outcome' | 'status' | 'requestId' | 'inner' | 'durationMs'> {
  readonly callerId: string
  readonly parent: TraceParent | undefined
  /** Epoch milliseconds. */
  readonly endedAt: number
}

export interface Ids {
  readonly traceId: string
  readonly spanId: string
}

const [INTERNAL, SERVER] = [1, 2]
const FAILED = 2
/** The lowest byte is W3C's; the two bits above it say that the origin of the parent is known, and that it is remote. */
const [SAMPLED, KNOWN, REMOTE] = [1, 0x100, 0x200]

/** A span in OTLP's JSON, by OpenTelemetry's conventions for MCP and for tools of generative AI. */
export function encodeSpan(span: Span, ids: Ids): object {
  const { parent, endedAt, durationMs } = span
  return {
    traceId: parent?.traceId ?? ids.traceId,
    spanId: ids.spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    flags: SAMPLED | KNOWN | (parent ? REMOTE : 0),
    name: nameOf(span),
    kind: transportOf(span) === undefined ? INTERNAL : SERVER,
    startTimeUnixNano: nanoseconds(endedAt - durationMs),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributes(attributesOf(span)),
    status: isFault(span) ? { code: FAILED, message: span.outcome } : {},
  }
}

/** Transport of a request; undefined for a call that another one makes, or that no request asked for. */
const transportOf = ({ via, inner }: Span): 'mcp' | 'rest' | undefined => (!inner && (via === 'mcp' || via === 'rest') ? via : undefined)

function nameOf(span: Span): string {
  if (span.kind !== 'tool') return span.tool
  return transportOf(span) === 'mcp' ? `tools/call ${span.tool}` : `execute_tool ${span.tool}`
}

/** To MCP every refusal is an error of the tool; over HTTP a refusal that the caller caused is not an error of the server. */
const isFault = (span: Span): boolean => span.outcome !== 'ok' && (transportOf(span) !== 'rest' || (span.status ?? 500) >= 500)

function attributesOf(span: Span): Readonly<Record<string, string | number | undefined>> {
  const { tool, via, outcome, status, tenantId, callerId, requestId } = span
  const isTool = span.kind === 'tool'
  const transport = transportOf(span)
  return {
    'mcp.method.name': transport === 'mcp' ? 'tools/call' : undefined,
    'gen_ai.operation.name': isTool ? 'execute_tool' : undefined,
    'gen_ai.tool.name': isTool ? tool : undefined,
    'http.response.status_code': transport === 'rest' ? status : undefined,
    'error.type': isFault(span) ? (transport === 'mcp' ? 'tool_error' : outcome) : undefined,
    'gateway.error.code': outcome === 'ok' ? undefined : outcome,
    'gateway.operation': isTool ? undefined : tool,
    'gateway.via': via,
    'gateway.tenant.id': tenantId,
    'gateway.caller.id': callerId,
    'gateway.request.id': requestId,
  }
}

export function attributes(given: Readonly<Record<string, string | number | undefined>>): object[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })
}

/** The time as text, because it exceeds a number. The clock has microseconds. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`
