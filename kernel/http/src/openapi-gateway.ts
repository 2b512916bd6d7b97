import type { OpenApiOperation } from './openapi.ts'
import { security } from './openapi-security.ts'

type Json = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const database = { enum: ['connected', 'disconnected'] }
const uptime = { ...count, description: 'Whole seconds since the start.' }
const object = (properties: Json, more: Json = {}) => ({ type: 'object', required: Object.keys(properties), properties, ...more })
const answer = (description: string, schema: Json, type = 'application/json') => ({ description, content: { [type]: { schema } } })

const finding = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['healthy', 'degraded', 'unhealthy'] } },
  description: 'One property beside `status` for each subsystem, with a `status` of its own.',
}
const status = {
  name: text,
  version: text,
  uptime,
  database,
  llm: { enum: ['configured', 'not_configured'] },
  agents: count,
  skills: count,
  hooks: count,
  rules: count,
  sessions: object({ total: count, active: count }),
  plugins: {
    type: 'array',
    items: object({ id: text, outcome: { enum: ['started', 'off', 'failed'] }, milliseconds: { type: 'number' }, tools: count }),
  },
}
const toolEntry = object({
  name: text,
  description: text,
  plugin: text,
  capability: text,
  effect: { enum: ['read', 'write', 'destructive'] },
  inputSchema: { type: 'object' },
})
const view = {
  name: 'view',
  in: 'query',
  required: false,
  description: 'Which list: `all`, `core` (what `/mcp/core` lists) or `t/{family,…}` (what `/mcp/t/{family,…}` lists).',
  schema: { type: 'string', default: 'all' },
}

/** The paths that belong to no plugin. */
export function gatewayPaths(): Record<string, Record<string, OpenApiOperation>> {
  return {
    '/health': get('health', 'Whether the gateway answers.', {
      200: answer('It does.', object({ status: { const: 'ok' }, uptime, database })),
    }),
    '/ready': get('ready', 'Whether to send callers here.', {
      200: answer('Yes.', object({ status: { const: 'ready' } })),
      503: answer(
        'Not now: it starts or stops, or the store takes no writes.',
        object({ status: { enum: ['starting', 'draining', 'read-only', 'disconnected'] } }),
      ),
    }),
    '/metrics': get(
      'metrics',
      'What is measured, for Prometheus.',
      {
        200: answer('The text format of Prometheus, 0.0.4.', text, 'text/plain'),
        default: { $ref: '#/components/responses/Error' },
      },
      [...security('caller'), ...security('admin')],
    ),
    '/health/deep': get('health.deep', 'Whether each subsystem is well.', {
      200: answer('Healthy or degraded.', finding),
      500: answer('The check itself failed.', object({ status: { const: 'unhealthy' }, error: text })),
      503: answer('Unhealthy.', finding),
    }),
    '/status': get('status', 'What is running.', { 200: answer('Figures of every family, and each plugin’s start.', object(status)) }),
    '/api/openapi.json': get('openapi', 'This document.', { 200: answer('OpenAPI 3.1.', { type: 'object' }) }),
    '/api/docs': get('docs', 'This document for people.', { 200: answer('One page without outside parts.', text, 'text/html') }),
    '/api/tools': get(
      'tools',
      'The tools the caller may see.',
      {
        200: answer('In the order of `tools/list`.', object({ count, tools: { type: 'array', items: toolEntry } })),
        default: { $ref: '#/components/responses/Error' },
      },
      security('caller'),
      [view],
    ),
  }
}

function get(
  operationId: string,
  description: string,
  responses: Json,
  needs: readonly Json[] = [],
  parameters: readonly Json[] = [],
): Record<string, OpenApiOperation> {
  return {
    get: {
      operationId: `gateway/${operationId}`,
      summary: description,
      description,
      tags: ['gateway'],
      security: needs,
      parameters,
      responses,
    },
  }
}
