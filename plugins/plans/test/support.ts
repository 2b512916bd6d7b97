import trash from '@gateway/plugin-trash'
import { type CallOptions, startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import plans from '../src/index.ts'
import type { PlanDay } from '../src/schema.ts'

export type { PlanDay, TestGateway }

/** A Monday. */
export const TODAY = '2026-01-05'

export const start = (): Promise<TestGateway> => startTestGateway({ plugins: [trash, plans], clock: testClock(`${TODAY}T12:00:00.000Z`) })

export const set = (gateway: TestGateway, days: readonly object[], args: object = {}, options?: CallOptions) =>
  gateway.call('plan_set', { repo: 'web', days, ...args }, options)

/** Days 1 to `count`, each with its own focus. */
export const focused = (count: number, what = 'focus'): object[] =>
  Array.from({ length: count }, (_, n) => ({ day: n + 1, focus: `${what} ${n + 1}` }))

export async function list(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<PlanDay[]> {
  return (await gateway.call('plan_list', args, options)).days
}

export const trashed = async (gateway: TestGateway) => (await gateway.call('trash_list', { kind: 'plan' })).entries

export async function audited(gateway: TestGateway, name: string): Promise<unknown[]> {
  return (await gateway.audit()).filter((record) => record.name === name).map(({ details }) => details)
}
