import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { BadRequest, closed, defined, defineTool, Forbidden, Type } from '@gateway/sdk'
import { ManagedReposInvalid } from '../errors.ts'
import { register, registerUses } from '../operations/register.ts'
import { scan } from '../operations/scan.ts'
import { path } from '../schema.ts'
import { seesFiles } from '../services/operator-files.ts'

const DEPTH = { default: 4, max: 10 }

const Found = Type.Object(
  {
    name: Type.String(),
    path: Type.String(),
    stack: Type.Array(Type.String()),
    hasFramework: Type.Boolean(),
    registered: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Reason it was not registered.' })),
  },
  closed,
)

const ONLY_LOCAL = 'Only the tenant local may scan folders: the folders of this machine belong to the operator.'

export const reposScan = defineTool({
  name: 'repos_scan',
  description:
    'Find the git repos in a folder of this machine, with their stack and whether they have the framework. With register they are added to the roster and the list of managed repos; else nothing is written. Returns {count, repos, truncated}; only the operator’s tenant may look.',
  capability: 'work',
  localOnly: ONLY_LOCAL,
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/repos/scan',
  input: Type.Object(
    {
      path,
      maxDepth: Type.Optional(
        Type.Integer({
          default: DEPTH.default,
          minimum: 0,
          description: `Levels of subfolders, at most ${DEPTH.max}; a larger value means the maximum.`,
        }),
      ),
      register: Type.Optional(Type.Boolean({ default: false, description: 'Register the repos found.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      count: Type.Integer(),
      repos: Type.Array(Found),
      truncated: Type.Boolean({ description: 'The folder has more than one scan reads.' }),
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: registerUses,
  check({ path }) {
    if (!isAbsolute(path)) throw noFolder(path)
  },
  async handle({ path, maxDepth = DEPTH.default, register: wanted = false }, refs, ctx) {
    // The operator and jobs may act in another tenant, whose folders are not here either.
    if (!seesFiles(ctx)) throw Forbidden({ message: ONLY_LOCAL })
    const top = resolve(path)
    if (!(await stat(top).catch(() => undefined))?.isDirectory()) throw noFolder(path)
    const { repos, truncated } = await scan(top, Math.min(maxDepth, DEPTH.max), ctx.signal)
    const left = wanted ? await register(refs, repos) : new Map<string, string>()
    const rows = repos.map((repo) => {
      const reason = left.get(repo.path)
      return { ...repo, stack: [...repo.stack], registered: wanted && reason === undefined, ...defined({ reason }) }
    })
    return { count: rows.length, repos: rows, truncated }
  },
})

const noFolder = (path: string) =>
  BadRequest({ field: 'path', message: `\`path\` must be an absolute folder of this machine; got ${JSON.stringify(path)}.` })
