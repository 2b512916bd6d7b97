import { BadRequest, closed, defined, defineTool, LARGE_BODY_BYTES, Type, withIdempotencyKey } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { commitAtom } from '../operations/commit.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { checkAsked } from '../operations/plan-atom.ts'
import { reward } from '../operations/recall-counts.ts'
import { brainUses } from '../operations/refs.ts'
import { lint } from '../rules/lint.ts'
import { checkBranch, checkRepo } from '../rules/names.ts'
import { ATOM_KINDS, type AtomDraft, AtomView, branchArgument, contentSchema, namespaceSchema, slugSchema, topicSchema } from '../schema.ts'

const sha = Type.String({ minLength: 7, maxLength: 64 })

export const brainCommit = defineTool({
  name: 'brain_commit',
  description:
    'Keep what you learned as an atom on the current branch of the brain: a session, a handoff, or a memory of all repos. The same content again changes nothing, other content under the same slug is a new atom. Returns {atom, branch, created, lint: {warnings}}.',
  capability: 'work',
  effect: 'write',
  bodyLimitBytes: LARGE_BODY_BYTES,
  input: withIdempotencyKey(
    Type.Object(
      {
        kind: Type.Enum(ATOM_KINDS),
        repo: Type.Optional(namespaceSchema),
        slug: slugSchema,
        content: contentSchema,
        topic: Type.Optional(topicSchema),
        supersedes: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Slug or sha8 of the atom this one replaces.' })),
        branch: branchArgument,
        pin: Type.Optional(Type.Boolean({ description: 'Never drop this atom.' })),
        code_repo: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        code_branch: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
        code_sha: Type.Optional(sha),
        code_commits: Type.Optional(Type.Array(sha, { maxItems: 200, description: 'Code commits it is about.' })),
      },
      closed,
    ),
  ),
  output: Type.Object(
    {
      atom: AtomView,
      branch: Type.String(),
      created: Type.Boolean({ description: 'false when it existed already.' }),
      lint: Type.Object({ warnings: Type.Array(Type.String()) }, closed),
    },
    closed,
  ),
  errors: [BrainQuotaExceeded],
  uses: brainUses,
  check({ code_sha: codeSha, code_commits: codeCommits, branch, content, ...named }) {
    checkAsked({ ...named, codeSha, codeCommits })
    if (branch !== undefined) checkBranch('branch', branch)
    if (content.trim() === '') throw BadRequest({ field: 'content', message: '`content` must not be blank; got only blanks' })
  },
  async handle(
    { code_repo: codeRepo, code_branch: codeBranch, code_sha: codeSha, code_commits: codeCommits, branch: wanted, ...args },
    refs,
    ctx,
  ) {
    const draft: AtomDraft = {
      ...args,
      ...defined({ repo: await namespaceOf(refs, args.repo, { stores: true }) }),
      codeRepo,
      codeBranch,
      codeSha,
      codeCommits,
    }
    if (draft.repo !== undefined) checkRepo('repo', draft.repo)
    const done = await commitAtom(refs, ctx, draft, { branch: wanted })
    const { atom, branch, created } = done
    if (created && atom.supersedes !== undefined) await reward(refs, ctx, atom.supersedes)
    return { atom, branch, created, lint: { warnings: [...lint(draft)] } }
  },
})
