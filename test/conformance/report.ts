import type { Check, Results } from './suite.ts'

export interface Report {
  readonly passed: boolean
  readonly lines: readonly string[]
}

/**
 * Every failed check counts, even if the suite does not score its scenario, and so does a scenario that broke off or
 * checked nothing. Warnings (recommendations for a server) and skipped checks are listed, to make them visible.
 */
export function report(revision: string, results: Results): Report {
  const found = (status: Check['status']): string[] =>
    [...results].flatMap(([scenario, checks = []]) =>
      checks.filter((check) => check.status === status).map((check) => line(scenario, check)),
    )
  const broken = [...results].filter(([, checks = []]) => checks.length === 0).map(([scenario]) => `${scenario}: it came to no result`)
  const failures = [...found('FAILURE'), ...broken]
  const [warnings, skipped] = [found('WARNING'), found('SKIPPED')]
  return {
    passed: failures.length === 0,
    lines: [
      ...failures.map((one) => `FAILED   ${one}`),
      ...warnings.map((one) => `warning  ${one}`),
      ...skipped.map((one) => `skipped  ${one}`),
      `${revision}: scenarios ${results.size}, passed ${found('SUCCESS').length}, failed ${failures.length}, warned ${warnings.length}, skipped ${skipped.length}`,
    ],
  }
}

/** The rest of a long message is in the results. */
const MAX_MESSAGE = 300

function line(scenario: string, { id, description, errorMessage }: Check): string {
  const message = (errorMessage ?? description).replaceAll(/\s+/g, ' ')
  return `${scenario}: ${id}: ${message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} …` : message}`
}
