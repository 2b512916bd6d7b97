import type { NewCommit, Repository } from '@gateway/plugin-git/api'
import { principalName } from '@gateway/sdk'
import { MAIN, refOf } from '../rules/names.ts'
import { requireHere } from './elsewhere.ts'
import type { Caller, Refs } from './refs.ts'

const README = `# A brain

What agents learned, as atoms: one Markdown file each, never rewritten.

- \`repos/<repo>/session/<day>/\`, \`repos/<repo>/handoff/<day>/\`: atoms of a repo
- \`memory/<day>/\`: atoms of all repos
- \`<time>-<slug>-<sha8>.md\`: when it was written, what it is called, how its blob begins
- \`BRIEF.md\`, \`repos/<repo>/BRIEF.md\`, \`repos/<repo>/topics/\`: compiled at each merge
- \`pins/<path of an atom>\`: never to be dropped
- \`stash/\`: frozen contexts

\`main\` is the consolidated truth; \`session/*\` and \`idea/*\` are work in progress. \`refs/anchors/<repo>\` is the merge
that last touched a repo.
`

export const author = ({ principal, tenantId }: Caller): NewCommit['author'] => ({
  name: principalName(principal),
  email: `${principal.id}@${tenantId}`,
})

/** Creates the repository if there is none, here or at another node. */
export async function begin(refs: Pick<Refs, 'branches'>, repo: Repository, caller: Caller): Promise<void> {
  if ((await repo.exists()) && (await repo.tips([refOf(MAIN)]))[0] !== undefined) return
  await requireHere(refs, repo)
  await repo.create({
    ref: refOf(MAIN),
    message: 'brain: begin',
    author: author(caller),
    at: caller.now(),
    files: [{ path: 'README.md', content: README }],
  })
}
