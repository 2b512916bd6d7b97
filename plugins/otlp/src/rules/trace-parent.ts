export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** In the form of W3C Trace Context; undefined for an invalid one, which counts as absent. */
export function readTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = (text !== undefined && TRACE_PARENT.exec(text)) || []
  if (version === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  // Later versions may have more fields; this one does not.
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
