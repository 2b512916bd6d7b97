import { defined, type Infer } from '@gateway/sdk'
import type { config } from '../config.ts'
import type { breachSchema } from '../schema.ts'
import { MODEL_CALLS } from './model-calls.ts'

export type Objectives = Infer<(typeof config)['schema']>
export type Breach = Infer<typeof breachSchema>

export function breachOf(
  route: string,
  seen: { samples: number; p95: number; errorRatePct: number },
  settings: Objectives,
): Breach | undefined {
  if (seen.samples < settings.minSamples) return undefined
  const override = Object.hasOwn(settings.routeOverrides, route) ? settings.routeOverrides[route] : undefined
  const p95Ms = override?.p95Ms ?? (MODEL_CALLS.has(route) ? undefined : settings.p95Ms)
  const objective = { ...defined({ p95Ms }), errorRatePct: override?.errorRatePct ?? settings.errorRatePct }
  const broken: Breach['broken'] = []
  if (p95Ms !== undefined && seen.p95 > p95Ms) broken.push('p95')
  if (seen.errorRatePct > objective.errorRatePct) broken.push('errorRate')
  if (broken.length === 0) return undefined
  const rounded = (figure: number): number => Math.round(figure * 100) / 100
  return { route, samples: seen.samples, p95: rounded(seen.p95), errorRatePct: rounded(seen.errorRatePct), objective, broken }
}

/** Overrides of tools that the gateway does not have. The names of routes have a dot. */
export function unknownOverrides(
  { routeOverrides }: Pick<Objectives, 'routeOverrides'>,
  tools: readonly { readonly name: string }[],
): string[] {
  const known = new Set(tools.map(({ name }) => name))
  return Object.keys(routeOverrides).filter((name) => !name.includes('.') && !known.has(name))
}
