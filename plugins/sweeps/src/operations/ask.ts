import type { Toolbox } from '@gateway/sdk'

export type Answer<Result> = { readonly there: true; readonly result: Result } | { readonly there: false; readonly why: string }

/**
 * Answer of another family's tool, on the call path and as the caller. A report is useful without it, so a family that is
 * switched off, not set up or failing is an answer as well.
 */
export async function ask<Result>(tools: Toolbox, name: string, args: object): Promise<Answer<Result>> {
  if (tools.get(name) === undefined) return { there: false, why: `${name} does not exist` }
  try {
    return { there: true, result: (await tools.call(name, args)).result as Result }
  } catch (error) {
    return { there: false, why: error instanceof Error ? error.message : String(error) }
  }
}
