import assert from 'node:assert/strict'
import { closed, definePlugin, defineTool, type Plugin, type Principal, Type } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import schedules from '../src/index.ts'
import type { Schedule } from '../src/schema.ts'

export type { Schedule, TestGateway }

export interface Called {
  readonly text: string | undefined
  readonly principal: Principal
  readonly via: string
}

/** Returns a tool to be run: it remembers its calls, runs `act`, and fails when its text is `fail`. */
export function target(act: (text: string | undefined, signal: AbortSignal) => Promise<void> = async () => {}): {
  plugin: Plugin
  calls: Called[]
} {
  const calls: Called[] = []
  const ring = (name: string, capability: 'work' | 'configure' | 'operator') =>
    defineTool({
      name,
      description: 'For tests.',
      capability,
      effect: 'write',
      input: Type.Object({ text: Type.Optional(Type.String()) }, closed),
      output: Type.Object({}),
      async handle({ text }, _uses, { principal, via, signal }) {
        calls.push({ text, principal, via })
        await act(text, signal)
        if (text === 'fail') throw new Error('it broke')
        return {}
      },
    })
  const tools = [ring('ring', 'work'), ring('ring_configured', 'configure'), ring('ring_operated', 'operator')]
  return { calls, plugin: definePlugin({ id: 'test-target', sdk: '^1.0.0', description: 'For tests.', tools }) }
}

export function start({
  plugins = [target().plugin],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [schedules, ...plugins], ...options })
}

export const MINUTE = 60
export const HOUR = 3_600

export const admin = { kind: 'user', role: 'admin', id: 'ann', tenantId: 'acme' } as const
export const owner = { kind: 'user', role: 'owner', id: 'olga', tenantId: 'acme' } as const

/** Creates a schedule that runs every five minutes by default. The clock of a test is at 09:00 of a Monday. */
export async function create(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<Schedule> {
  const given = { name: 'A schedule', cronExpr: '*/5 * * * *', kind: 'tool', target: 'ring', ...args }
  return (await gateway.call('schedules_create', given, options)).schedule
}

export async function update(
  gateway: TestGateway,
  { scheduleId }: Pick<Schedule, 'scheduleId'>,
  args: object,
  options?: CallOptions,
): Promise<Schedule> {
  return (await gateway.call('schedules_update', { scheduleId, ...args }, options)).schedule
}

export async function runNow(gateway: TestGateway, { scheduleId }: Pick<Schedule, 'scheduleId'>, options?: CallOptions): Promise<Schedule> {
  return (await gateway.call('schedules_run_now', { scheduleId }, options)).schedule
}

export async function list(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<Schedule[]> {
  return (await gateway.call('schedules_list', args, options)).schedules
}

export async function get(gateway: TestGateway, { scheduleId }: Pick<Schedule, 'scheduleId'>, options?: CallOptions): Promise<Schedule> {
  const found = (await list(gateway, {}, options)).find((one) => one.scheduleId === scheduleId)
  assert.ok(found)
  return found
}

export const tick = (gateway: TestGateway): Promise<void> => gateway.runJob('schedules.tick')

export const at = (time: string, day = '2026-01-05'): string => `${day}T${time}:00.000Z`
