import { closed, defineRoute, gatewayWide, Type } from '@gateway/sdk'
import { snapshots } from '../collections.ts'
import { daysBefore } from '../rules/due.ts'

const DAYS = { default: 90, max: 366 }

export const revenueRoute = defineRoute({
  name: 'tenant-end.revenue',
  description:
    'Read the snapshots of monthly recurring revenue, for the operator. Returns {days, plans}: the sum over all tenants of each UTC day, oldest first, and of each plan on the latest.',
  capability: 'operator',
  effect: 'read',
  rest: 'GET /api/tenant-end/revenue',
  input: Type.Object(
    { days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS.max, default: DAYS.default, description: 'Latest days.' })) },
    closed,
  ),
  output: Type.Object(
    {
      days: Type.Array(Type.Object({ day: Type.String(), tenants: Type.Integer(), mrrUsd: Type.Number() }, closed)),
      plans: Type.Array(Type.Object({ plan: Type.String(), tenants: Type.Integer(), mrrUsd: Type.Number() }, closed), {
        description: 'Of the latest day, by name.',
      }),
    },
    closed,
  ),
  uses: { snapshots: gatewayWide(snapshots) },
  async handle({ days: asked = DAYS.default }, { snapshots }, ctx) {
    const from = daysBefore(ctx.now(), asked - 1).slice(0, 10)
    const groups = await snapshots.writable().group({ where: { day: { gte: from } }, by: ['day', 'plan'], sum: ['mrrUsd'] })
    const rows = groups.map(({ key: [day, plan], count, sums }) => ({
      day: String(day),
      plan: String(plan),
      tenants: count,
      mrrUsd: sums.mrrUsd ?? 0,
    }))
    const names = [...new Set(rows.map(({ day }) => day))].sort()
    const days = names.map((name) => {
      const own = rows.filter(({ day }) => day === name)
      return { day: name, tenants: sumOf(own, 'tenants'), mrrUsd: sumOf(own, 'mrrUsd') }
    })
    const latest = rows.filter(({ day }) => day === names.at(-1)).sort((a, b) => (a.plan < b.plan ? -1 : 1))
    return { days, plans: latest.map(({ plan, tenants, mrrUsd }) => ({ plan, tenants, mrrUsd })) }
  },
})

function sumOf<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0)
}
