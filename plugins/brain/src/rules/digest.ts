import type { FrontMatter } from './atom-file.ts'
import { digestOf } from './atom-file.ts'

/** Uses the file alone, so that the index of a clone is the same. */
export function atomDigest(front: FrontMatter, content: string): string {
  const { kind, repo, slug, topic, supersedes, code_repo, code_branch, code_sha, code_commits } = front
  return digestOf([kind, repo, slug, topic, supersedes, code_repo, code_branch, code_sha, code_commits, content])
}
