import type { FileChange, NewCommit, Oid, Write } from '../api.ts'
import { identity } from './identity.ts'
import { checkOids, isPath, isRef, ZERO } from './names.ts'

/** Never written: it carries the commits of one import, and is dropped at its end. */
const CARRIER = 'refs/gateway/import'

/**
 * Yields the input of `git fast-import`. Each text goes with its length, and each path and ref is checked (`names.ts`), so that
 * no text of a caller is ever read as a command.
 */
export function* importStream({ commits, tips }: Pick<Write, 'commits' | 'tips'>): Iterable<string | Buffer> {
  const at = new Map<string, string>(tips)
  for (const [n, commit] of commits.entries()) {
    refuseForeign(commit)
    const parent = at.get(commit.ref)
    if (parent === undefined) yield `reset ${CARRIER}\n\n`
    yield `commit ${CARRIER}\nmark :${n + 1}\ncommitter ${identity(commit.author)} ${Math.floor(commit.at.getTime() / 1000)} +0000\n`
    yield* data(commit.message)
    if (parent !== undefined) yield `from ${parent}\n`
    if (commit.merges !== undefined) yield `merge ${commit.merges}\n`
    if (commit.tree !== undefined) yield `M 040000 ${commit.tree} ""\n`
    for (const file of commit.files) yield* change(file)
    yield `\nget-mark :${n + 1}\n`
    at.set(commit.ref, `:${n + 1}`)
  }
  yield `reset ${CARRIER}\nfrom ${ZERO}\n\ndone\n`
}

function* change(file: FileChange): Iterable<string | Buffer> {
  if ('removed' in file) yield `D ${file.path}\n`
  else if ('blob' in file) yield `M 100644 ${file.blob} ${file.path}\n`
  else {
    yield `M 100644 inline ${file.path}\n`
    yield* data(file.content)
  }
}

function* data(text: string): Iterable<string | Buffer> {
  const bytes = Buffer.from(text)
  yield `data ${bytes.length}\n`
  yield bytes
  yield '\n'
}

/** An invalid name is a bug in the calling plugin, not a fault of the external caller. */
function refuseForeign({ ref, tree, merges, files }: NewCommit): void {
  const oids: readonly (Oid | undefined)[] = [tree, merges, ...files.map((file) => ('blob' in file ? file.blob : undefined))]
  if (!isRef(ref)) throw new Error(`not a ref: ${JSON.stringify(ref)}`)
  checkOids(...oids.filter((oid) => oid !== undefined))
  for (const { path } of files) if (!isPath(path)) throw new Error(`not a path: ${JSON.stringify(path)}`)
}
