import type { Oid, PathChange, PushedChange, PushedCommit, PushedRef, PushedRefFacts, PushFacts, Quarantine } from '../api.ts'
import { pushLimits } from '../rules/limits.ts'
import { EMPTY_TREE, isOid, isPath } from '../rules/names.ts'
import { PUSHED_OPTIONS, type RawCommit, readPushedLog } from '../rules/pushed-log.ts'
import { ObjectReader } from './object-reader.ts'
import { treeChangesOf } from './reads.ts'
import type { OpenRepository } from './repository.ts'
import { git, type RunOptions, run } from './run.ts'

const SHOWN = 20_000
const MAIN = 'refs/heads/main'
/** Texts of one piece, and bytes of one, whichever is reached first. */
const PIECE = 100
const PIECE_BYTES = 8 * 1_024 * 1_024
/** A plain file: no link, no program, no submodule. */
const PLAIN = '100644'

type Where = Pick<RunOptions, 'folder' | 'env' | 'limits'>

/** Commands that see the objects of a push work on data that nobody has judged. */
const quarantined = ({ folder }: OpenRepository, { objects }: Quarantine): Where => ({
  folder,
  env: { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${folder}/objects` },
  limits: pushLimits(git.limits),
})

export async function pushFacts(repository: OpenRepository, pushed: readonly PushedRef[], quarantine: Quarantine): Promise<PushFacts> {
  const where = quarantined(repository, quarantine)
  const [main] = await repository.tips([MAIN])
  const refs: PushedRefFacts[] = []
  let isCut = false
  for (const push of pushed) {
    const { facts, truncated } = await refFacts(where, push, main)
    refs.push(facts)
    isCut ||= truncated
  }
  const tips = pushed.flatMap(({ to }) => (to !== undefined && isOid(to) ? [to] : []))
  const found = tips.length === 0 ? { commits: [], truncated: false } : await newCommits(where, tips)
  isCut ||= found.truncated
  // A push that cannot be judged in whole is refused: the rest is not worked out.
  if (isCut) return { refs, commits: [], truncated: true }
  const bases = [...new Set([main, ...pushed.map(({ from }) => from)])].filter((base) => base !== undefined)
  return { refs, commits: await withObjects(where, found.commits, bases), truncated: false }
}

/** Tip against tip: against where the ref was, and against where its history leaves that of main. */
async function refFacts(where: Where, push: PushedRef, main: Oid | undefined) {
  const { ref, from, to } = push
  if (to === undefined || !isOid(to)) {
    const lost = from === undefined ? NOTHING : await changed(where, from, main ?? EMPTY_TREE)
    return { facts: { ...push, descends: false, rewritten: lost.changes }, truncated: lost.truncated }
  }
  const fork = main === undefined ? undefined : await mergeBase(where, main, to)
  const bases = [...new Set([from ?? fork ?? EMPTY_TREE, fork ?? EMPTY_TREE])]
  const gone = await Promise.all(bases.map((base) => changed(where, base, to)))
  const descends = from === undefined ? fork !== undefined : await descendsFrom(where, from, to)
  return {
    facts: { ...push, descends: descends || (ref !== MAIN && from !== undefined), rewritten: gone.flatMap(({ changes }) => changes) },
    truncated: gone.some(({ truncated }) => truncated),
  }
}

const NOTHING = { changes: [] as readonly PathChange[], truncated: false }

async function changed(where: Where, from: Oid, to: Oid) {
  const { changes, truncated } = await treeChangesOf(where, from, to, 'DMT')
  return { changes: changes.slice(0, SHOWN), truncated: truncated || changes.length > SHOWN }
}

async function newCommits(where: Where, tips: readonly Oid[]) {
  const args = ['log', ...PUSHED_OPTIONS, `--max-count=${SHOWN + 1}`, ...tips, '--not', '--all', '--']
  const { output, truncated } = await run(args, where)
  const commits = readPushedLog(output)
  const files = commits.reduce((sum, { changes }) => sum + changes.length, 0)
  return { commits, truncated: truncated || commits.length > SHOWN || files > SHOWN }
}

/** Sizes of what comes, and whether what is changed or removed stood before. */
async function withObjects(where: Where, commits: readonly RawCommit[], bases: readonly Oid[]): Promise<readonly PushedCommit[]> {
  const objects = new ObjectReader(where)
  const sizeOf = async (blob: Oid): Promise<{ size?: number }> => {
    const found = await objects.info(blob)
    return found?.type === 'blob' ? { size: found.size } : {}
  }
  const stood = async (path: string): Promise<boolean> => {
    const found = isPath(path) ? await Promise.all(bases.map((base) => objects.info(`${base}:${path}`))) : []
    return found.some((one) => one !== undefined)
  }
  try {
    return await Promise.all(
      commits.map(async ({ sha, changes }) => ({
        sha,
        changes: await Promise.all(
          changes.map(
            async (change): Promise<PushedChange> => ({
              ...change,
              ...(change.status !== 'D' && change.mode === PLAIN && (await sizeOf(change.blob))),
              ...(change.status !== 'A' && { stood: await stood(change.path) }),
            }),
          ),
        ),
      })),
    )
  } finally {
    objects.close()
  }
}

/** Texts of blobs in quarantine, piece by piece: the next ones are read when these were taken. */
export async function* pushedTexts(
  repository: OpenRepository,
  oids: readonly Oid[],
  quarantine: Quarantine,
  maxBytes: number,
): AsyncIterable<readonly (string | undefined)[]> {
  const objects = new ObjectReader(quarantined(repository, quarantine))
  const size = Math.max(1, Math.min(PIECE, Math.floor(PIECE_BYTES / maxBytes)))
  try {
    for (let at = 0; at < oids.length; at += size)
      yield await Promise.all(
        oids.slice(at, at + size).map(async (oid) => {
          const found = isOid(oid) ? await objects.contents(oid, maxBytes) : undefined
          return found?.type === 'blob' ? found.content?.toString() : undefined
        }),
      )
  } finally {
    objects.close()
  }
}

async function mergeBase(where: Where, one: Oid, other: Oid): Promise<Oid | undefined> {
  const { code, output } = await run(['merge-base', one, other], { ...where, codes: [0, 1] })
  return code === 0 ? output.trim() : undefined
}

async function descendsFrom(where: Where, ancestor: Oid, of: Oid): Promise<boolean> {
  return (await run(['merge-base', '--is-ancestor', ancestor, of], { ...where, codes: [0, 1] })).code === 0
}
