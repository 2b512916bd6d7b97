import { BadRequest, closed, defineTool, type Infer, ListFill, rowLimit, Type, truncated } from '@gateway/sdk'
import { atomsOfCode, codeOf } from '../operations/blame.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'

const ROWS = rowLimit(50, 200, 'Entries')
const Line = Type.Object(
  {
    commit: Type.String({ description: 'Commit of the brain.' }),
    codeShas: Type.Array(Type.String()),
    path: Type.String(),
    title: Type.String(),
    at: Type.String(),
    branch: Type.String(),
    repo: Type.Optional(Type.String()),
  },
  closed,
)

export const brainBlame = defineTool({
  name: 'brain_blame',
  description:
    'Join commits of the code with commits of the brain: with code_sha what was learned at that code commit, with ref which code commits were recorded back from a brain branch or commit. Returns entries, newest first.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      code_sha: Type.Optional(Type.String({ minLength: 7, maxLength: 64, description: 'Full hash, or at least its first 7 digits.' })),
      ref: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'HEAD (the default), a branch, or a commit; not with code_sha.' }),
      ),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ entries: Type.Array(Line), codeShas: Type.Array(Type.String()), truncated }, closed),
  uses: brainUses,
  check({ code_sha: sha, ref }) {
    if (sha !== undefined && ref !== undefined)
      throw BadRequest({ field: 'ref', message: '`ref` and `code_sha` exclude each other; got both' })
    if (sha !== undefined && !/^[0-9a-f]+$/i.test(sha))
      throw BadRequest({ field: 'code_sha', message: `\`code_sha\` must be hex digits; got ${JSON.stringify(sha)}` })
  },
  async handle({ code_sha: sha, ref, limit }, refs, ctx) {
    const seen = await view(refs, ctx)
    if (!seen) return { entries: [], codeShas: [] }
    const atoms =
      sha === undefined
        ? await codeOf(refs, seen, ref ?? 'HEAD', ROWS.of(limit))
        : await atomsOfCode(refs, seen, sha.toLowerCase(), ROWS.of(limit))
    const fill = new ListFill<Infer<typeof Line>>(ROWS.of(limit))
    for (const { commit, codeShas, path, title, at, branch, namespace } of atoms)
      fill.add({ commit, codeShas, path, title, at, branch, ...(namespace !== '' && { repo: namespace }) })
    return { entries: fill.rows, codeShas: [...new Set(fill.rows.flatMap((entry) => entry.codeShas))], ...fill.cutShort }
  },
})
