import { isAbsolute } from 'node:path'
import { NAME, PATH, REMOTE } from '../schema.ts'

/** The repo that a pipeline says it made, as `repos_upsert` takes it. */
export interface ProducedRepo {
  readonly name: string
  readonly path?: string
  readonly gitRemote?: string
}

const fits = (pattern: string, value: unknown): value is string => typeof value === 'string' && new RegExp(pattern, 'u').test(value)

/** What `repo` of an answer tells, as far as it is usable; nothing when it tells of none. */
export function producedRepo(answer: unknown): ProducedRepo | undefined {
  const { repo } = (typeof answer === 'object' && answer !== null ? answer : {}) as { repo?: Record<string, unknown> }
  if (typeof repo !== 'object' || repo === null || !fits(NAME, repo.name)) return undefined
  const { name, path, gitRemote } = repo
  return { name, ...(fits(PATH, path) && isAbsolute(path) && { path }), ...(fits(REMOTE, gitRemote) && { gitRemote }) }
}
