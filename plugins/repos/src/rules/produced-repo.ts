import { isAbsolute } from 'node:path'
import { textTest } from '@gateway/sdk'
import { NAME, PATH, REMOTE } from '../schema.ts'

/** The repo that a pipeline reports as created, in the form that `repos_upsert` takes. */
export interface ProducedRepo {
  readonly name: string
  readonly path?: string
  readonly gitRemote?: string
}

const fits = (test: (text: string) => boolean, value: unknown): value is string => typeof value === 'string' && test(value)
const isName = textTest(NAME)
const isPath = textTest(PATH)
const isRemote = textTest(REMOTE)

/** Returns the usable part of `repo` in an answer, or `undefined` when the answer has no repo. */
export function producedRepo(answer: unknown): ProducedRepo | undefined {
  const { repo } = (typeof answer === 'object' && answer !== null ? answer : {}) as { repo?: Record<string, unknown> }
  if (typeof repo !== 'object' || repo === null || !fits(isName, repo.name)) return undefined
  const { name, path, gitRemote } = repo
  return { name, ...(fits(isPath, path) && isAbsolute(path) && { path }), ...(fits(isRemote, gitRemote) && { gitRemote }) }
}
