import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Merged, Oid, RefName, Tip, Usage, Write, Written } from '../api.ts'
import { importStream } from '../rules/import-stream.ts'
import { checkOids, isRef } from '../rules/names.ts'
import { Importer } from './importer.ts'
import { maintain } from './maintain.ts'
import { ObjectReader } from './object-reader.ts'
import { removeQuarantines } from './quarantines.ts'
import { Queue } from './queue.ts'
import { type RefStep, RefWriter } from './ref-writer.ts'
import { run } from './run.ts'
import { syncFolder, syncFolders } from './sync.ts'
import { tidy } from './tidy.ts'
import { measure } from './usage.ts'

/** Backlog of writes of one repository in the helper; the gateway's own queue comes before it. */
const MAX_WAITING = 256
/** Number of packs, each an import, from which joining them is worthwhile. */
const MANY_PACKS = 50

/** An open repository of the helper: its long-lived processes, and one queue for its changes. */
export class OpenRepository {
  readonly folder: string
  readonly objects: ObjectReader
  readonly #refs: RefWriter
  readonly #importer: Importer
  readonly #queue = new Queue(MAX_WAITING)
  #tidied: Promise<void> | undefined
  #packs: number | undefined
  #maintenance: Promise<void> | undefined
  usedAt = Date.now()

  constructor(folder: string) {
    this.folder = folder
    this.objects = new ObjectReader({ folder })
    this.#refs = new RefWriter(folder)
    this.#importer = new Importer(folder)
  }

  get idle(): boolean {
    return this.#queue.idle && this.#maintenance === undefined
  }

  /** Creates it next to its final path and moves it there complete. */
  create(): Promise<void> {
    return this.#queue.run(async () => {
      // Two containers that share the folder can have helpers with the same process id.
      const made = `${this.folder}.new-${randomUUID()}`
      await mkdir(dirname(this.folder), { recursive: true, mode: 0o700 })
      await run(['init', '--quiet', '--bare', '--object-format=sha1', '--template=', '--initial-branch=main', made], {
        folder: dirname(made),
      })
      // For users who write to it with their own git.
      await run(['config', 'core.fsync', 'all'], { folder: made })
      await rename(made, this.folder).catch(async (error: NodeJS.ErrnoException) => {
        await rm(made, { recursive: true, force: true })
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
      await syncFolder(dirname(this.folder))
    })
  }

  remove(): Promise<void> {
    return this.#queue.run(async () => {
      this.close()
      await rm(this.folder, { recursive: true, force: true })
    })
  }

  tips(refs: readonly RefName[]): Promise<readonly (Oid | undefined)[]> {
    return Promise.all(refs.map(async (ref) => (isRef(ref) ? (await this.objects.info(ref))?.oid : undefined)))
  }

  async refs(): Promise<readonly Tip[]> {
    const { output } = await run(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/anchors'], this)
    return output
      .split('\n')
      .map((line) => ({ oid: line.slice(0, 40), ref: line.slice(41) }))
      .filter(({ ref }) => isRef(ref))
  }

  write(write: Write): Promise<Written> {
    return this.#queue.run(async () => {
      await (this.#tidied ??= tidy(this.folder))
      // Objects are written only after the refs were found at the expected tips: a lost race leaves no pack behind.
      if (await this.#moved(refSteps(write, []))) return { written: false }
      const commits = write.commits.length === 0 ? [] : await this.#importer.import(importStream(write))
      const steps = refSteps(write, commits)
      await syncFolders(this.folder, [])
      try {
        await this.#refs.commit(steps)
      } catch (error) {
        if (await this.#moved(steps)) return { written: false }
        throw error
      }
      await syncFolders(
        this.folder,
        steps.map(({ ref }) => ref),
      )
      await this.#countPacks()
      return { written: true, commits }
    })
  }

  async mergeTree(ours: Oid, theirs: Oid): Promise<Merged> {
    checkOids(ours, theirs)
    const { code, output } = await run(
      ['merge-tree', '--write-tree', '--allow-unrelated-histories', '-z', '--name-only', '--no-messages', ours, theirs],
      {
        folder: this.folder,
        codes: [0, 1],
      },
    )
    const [tree = '', ...paths] = output.split('\0').filter((part) => part !== '')
    return code === 0 ? { clean: true, tree: tree.trim() } : { clean: false, conflicts: [...new Set(paths)].slice(0, 100) }
  }

  usage(): Promise<Usage> {
    return measure(this.folder)
  }

  /** Removes leftovers of transfers that ended long ago. */
  sweep(): Promise<void> {
    return removeQuarantines(this.folder)
  }

  close(): void {
    this.objects.close()
    this.#refs.close()
    this.#importer.close()
  }

  async #moved(steps: readonly RefStep[]): Promise<boolean> {
    const now = await this.tips(steps.map(({ ref }) => ref))
    return steps.some(({ from }, at) => now[at] !== from)
  }

  async #countPacks(): Promise<void> {
    this.#packs ??= (await readdir(join(this.folder, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack')).length
    this.#packs++
    if (this.#packs < MANY_PACKS || this.#maintenance) return
    this.#maintenance = maintain(this.folder)
      .catch(() => {})
      .finally(() => {
        this.#maintenance = undefined
        this.#packs = undefined
      })
  }
}

/** Returns the value of each ref before and after, from the commits of the write and its other ref changes. */
function refSteps({ commits, tips, refs = [] }: Write, made: readonly Oid[]): readonly RefStep[] {
  const steps = new Map<string, RefStep>()
  for (const [n, { ref }] of commits.entries()) steps.set(ref, { ref, from: tips.get(ref), to: made[n] })
  for (const { ref, from, to } of refs) {
    if (!isRef(ref)) throw new Error(`not a ref: ${JSON.stringify(ref)}`)
    steps.set(ref, { ref, from, to: typeof to === 'object' ? made[to.commit] : to })
  }
  return [...steps.values()]
}
