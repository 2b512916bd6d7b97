import { defineMetric } from '@gateway/sdk'

export const unread = defineMetric('gateway.metrics.unread', {
  kind: 'counter',
  description: 'Readings of gauges that failed or took too long, so that the gauges are out of date.',
  unit: '{reading}',
  labels: ['reading'],
})

export const toolDuration = defineMetric('gen_ai.execute_tool.duration', {
  kind: 'histogram',
  description: 'Duration of tool calls on every transport, from the arguments to the result.',
  unit: 's',
  labels: ['gen_ai.tool.name', 'error.type'],
})

export const calls = defineMetric('gateway.calls', {
  kind: 'counter',
  description: 'Ended calls of tools and routes; error.type is empty for a successful call.',
  unit: '{call}',
  labels: ['kind', 'via', 'error.type', 'tenant'],
})

export const refusals = defineMetric('gateway.refusals', {
  kind: 'counter',
  description: 'Refused callers and calls: unknown, without permission, too many.',
  unit: '{refusal}',
  labels: ['code'],
})

export const jobDuration = defineMetric('gateway.job.duration', {
  kind: 'histogram',
  description: 'Duration of job runs, each in one tenant.',
  unit: 's',
  labels: ['job', 'error.type'],
})

export const inFlight = defineMetric('gateway.calls.active', {
  kind: 'gauge',
  description: 'Calls from clients that hold a permit now.',
  unit: '{call}',
})
export const waitingCalls = defineMetric('gateway.calls.waiting', {
  kind: 'gauge',
  description: 'Calls that wait for a change now; they hold no permit.',
  unit: '{call}',
})

const nodes = (name: string, description: string, unit: 's' | 'By' | '1') => defineMetric(name, { kind: 'gauge', description, unit })
export const loopDelayMean = nodes('nodejs.eventloop.delay.mean', 'Event-loop delay since the last look, mean.', 's')
export const loopDelayP99 = nodes('nodejs.eventloop.delay.p99', 'Event-loop delay since the last look, 99 of 100.', 's')
export const loopDelayMax = nodes('nodejs.eventloop.delay.max', 'Longest event-loop delay since the last reading.', 's')
export const loopUtilization = nodes(
  'nodejs.eventloop.utilization',
  'Part of the time in which the event loop was busy since the last reading.',
  '1',
)
export const heapUsed = nodes('v8js.memory.heap.used', 'Heap in use.', 'By')
export const heapLimit = nodes('v8js.memory.heap.limit', 'Limit of the heap size.', 'By')
export const residentMemory = nodes('process.memory.usage', 'Resident memory of the process.', 'By')
export const cpuTime = defineMetric('process.cpu.time', {
  kind: 'counter',
  description: 'CPU time of the process.',
  unit: 's',
  labels: ['cpu.mode'],
})
export const uptime = nodes('process.uptime', 'Uptime of the process.', 's')
