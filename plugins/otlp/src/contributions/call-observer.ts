import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { outgoing } from '@gateway/plugin-outgoing/api'
import { type CallObserver, callObserver, contribute, gatewayInfo, isSynthetic, LOCAL_TENANT } from '@gateway/sdk'
import { config } from '../config.ts'
import { exportedSpans } from '../metrics.ts'
import { Batches } from '../operations/batches.ts'
import { readAnswer } from '../rules/answer.ts'
import { headersOf } from '../rules/headers.ts'
import { attributes, encodeSpan, type Span } from '../rules/span.ts'
import { readTraceParent } from '../rules/trace-parent.ts'

const OFF: CallObserver = { observe() {} }
const id = (bytes: number): string => randomBytes(bytes).toString('hex')

export const exportSpans = contribute(callObserver, {
  uses: { config, outgoing, gateway: gatewayInfo, told: exportedSpans },
  create({ config, outgoing, gateway, told }, ctx): CallObserver {
    const { endpoint, disabled, sampleRatio, timeoutMs, maxQueue, maxBatch, delayMs } = config
    if (endpoint === undefined || disabled) return OFF
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
    const headers = { ...headersOf(config.headers), 'content-type': 'application/json' }
    const resource = {
      attributes: attributes({
        'service.name': config.serviceName,
        'service.version': gateway.version,
        'service.instance.id': randomUUID(),
        'host.name': hostname(),
      }),
    }
    const scope = { name: '@gateway/gateway', version: gateway.version }
    const encode = (spans: readonly Span[]): string => {
      const encoded = spans.map((span) => encodeSpan(span, { traceId: id(16), spanId: id(8) }))
      return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: encoded }] }] })
    }
    const now = (): Date => ctx.now()
    const batches = new Batches<Span>({
      maxQueue,
      maxBatch,
      delayMs,
      log: gateway.log('otlp'),
      count: (outcome, spans) => told.add(spans, outcome),
      async send(spans, signal) {
        const timeouts = { totalMs: timeoutMs, firstByteMs: timeoutMs }
        // It waits and retries itself, and the operator names the address.
        const request = { url, headers, body: encode(spans), timeouts, reach: 'operator', breaker: false } as const
        const { status, headers: answered, body } = await outgoing.send(request, { tenantId: LOCAL_TENANT, signal, now })
        return readAnswer(status, answered, body, now().getTime())
      },
    })
    return {
      observe({ tool, kind, tenantId, via, outcome, status, requestId, inner, durationMs, principal, traceparent }) {
        // Jobs and listeners run without end, and belong to no caller's trace.
        if (kind === 'run' || isSynthetic(tenantId)) return
        const parent = readTraceParent(traceparent)
        if (!(parent?.sampled ?? Math.random() < sampleRatio)) return
        const of = { tool, kind, tenantId, via, outcome, status, requestId, inner, durationMs }
        batches.add({ ...of, callerId: principal.id, parent, endedAt: now().getTime() } as Span)
      },
      close: () => batches.close(),
    }
  },
})
