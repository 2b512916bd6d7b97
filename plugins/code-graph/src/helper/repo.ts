import { join } from 'node:path'
import { answer } from '../rules/answer.ts'
import { type Facts, NO_FACTS } from '../rules/facts.ts'
import { Graph } from '../rules/graph.ts'
import { jsFacts, scannedFacts } from '../rules/js-facts.ts'
import { isConfig, languageOf } from '../rules/languages.ts'
import { parseConfig } from '../rules/parse-config.ts'
import { nameOf } from '../rules/paths.ts'
import { type Extent, MAX_PATHS, type Progress, type Shard } from '../rules/protocol.ts'
import { pythonFacts } from '../rules/python-facts.ts'
import type { AnswerTo, Question } from '../rules/questions.ts'
import { type KeptFile, packShard, shardOf, unpackShard } from '../rules/shards.ts'
import { MAX_FILE_BYTES, readSource } from './read-source.ts'
import { stampOf } from './stamp.ts'
import { type Seen, Tree } from './tree.ts'

const SLICE_MS = 20
/** A second or less between two messages about the progress. */
const FILES_BETWEEN_PROGRESS = 100

/** A repo: its files, their facts, and its graph. The state is that of the files when a question came. */
export class Repo {
  readonly #root: string
  readonly #tree: Tree
  readonly #graph = new Graph()
  readonly #files = new Map<string, KeptFile>()
  readonly #configs = new Map<string, unknown>()
  /** Loaded from the store. Valid for as long as the stamp or the content is the same. */
  readonly #kept: Map<string, KeptFile>
  readonly #changedShards = new Set<number>()
  readonly #reading: (path: string) => void
  readonly #unreadable = new Set<string>()
  #turn: Promise<void> = Promise.resolve()

  constructor(root: string, shards: readonly Shard[], reading: (path: string) => void) {
    this.#root = root
    this.#tree = new Tree(root)
    this.#kept = new Map(shards.flatMap(([, data]) => [...unpackShard(data)]))
    this.#reading = reading
  }

  close(): void {
    this.#tree.close()
  }

  async ask<Q extends Question>(
    question: Q,
    poison: ReadonlySet<string>,
    progress: (progress: Progress) => void = () => {},
  ): Promise<{ answer: AnswerTo<Q>; extent: Extent; shards: Shard[] }> {
    const mine = this.#turn.then(() => this.#refresh(namedIn(question), poison, progress))
    // The next one does not fail because this one did.
    this.#turn = mine.catch(() => undefined)
    await mine
    return { answer: answer(this.#graph, question), extent: this.#extent(), shards: this.#takeShards() }
  }

  #extent(): Extent {
    const { otherSources, complete } = this.#tree
    return {
      files: this.#files.size,
      unreadable: this.#unreadable.size,
      unreadablePaths: [...this.#unreadable].sort().slice(0, MAX_PATHS),
      otherSources,
      complete: complete && otherSources === 0,
    }
  }

  async #refresh(named: readonly string[], poison: ReadonlySet<string>, progress: (progress: Progress) => void): Promise<void> {
    const seen: Seen[] = []
    const files = new Map<string, Facts | undefined>()
    const before = new Map(this.#configs)
    await this.#tree.refresh(named, {
      seen: (file) => seen.push(file),
      gone: (path) => {
        this.#configs.delete(path)
        if (this.#drop(path)) files.set(path, undefined)
      },
    })
    let sliceEnds = performance.now() + SLICE_MS
    for (const [read, file] of seen.entries()) {
      if (read % FILES_BETWEEN_PROGRESS === 0) progress({ read, files: seen.length })
      if (performance.now() > sliceEnds) {
        await new Promise(setImmediate)
        sliceEnds = performance.now() + SLICE_MS
      }
      if (isConfig(nameOf(file.path))) this.#readConfig(file)
      if (!languageOf(file.path)) continue
      const facts = this.#read(file, poison)
      if (facts) files.set(file.path, facts)
    }
    const isSame = before.size === this.#configs.size && [...before].every(([path, value]) => this.#configs.get(path) === value)
    if (files.size > 0 || !isSame) this.#graph.apply({ files, ...(!isSame && { configs: new Map(this.#configs) }) })
    // Everything kept has by now been taken over, or belongs to files that are gone.
    this.#kept.clear()
  }

  #readConfig({ path, stats }: Seen): void {
    const source = stats.size > MAX_FILE_BYTES ? undefined : readSource(join(this.#root, path))
    this.#configs.set(path, source && parseConfig(path, source.text))
  }

  /** Returns a file's facts if they differ from before. */
  #read({ path, stats, settled }: Seen, poison: ReadonlySet<string>): Facts | undefined {
    const stamp = stampOf(stats)
    const known = this.#files.get(path) ?? this.#kept.get(path)
    const isFirst = !this.#files.has(path)
    if (isFirst && known?.stamp === stamp) return this.#keep(path, known)
    const source = stats.size > MAX_FILE_BYTES ? undefined : readSource(join(this.#root, path))
    if (!source) return this.#keep(path, { stamp, hash: '', facts: { ...NO_FACTS, fault: 'it is too large, or cannot be read' } }, true)
    // A stamp that a later write may share is not kept: after a restart the content decides.
    const file = { stamp: settled && isFar(stats.mtimeMs) ? stamp : '', hash: source.hash }
    if (known?.hash === source.hash) {
      const same = this.#keep(path, { ...file, facts: known.facts }, known.stamp !== file.stamp)
      return isFirst ? same : undefined
    }
    return this.#keep(path, { ...file, facts: this.#parse(path, source, poison) }, true)
  }

  #parse(path: string, { text, hash }: { text: string; hash: string }, poison: ReadonlySet<string>): Facts {
    if (poison.has(`${path}\0${hash}`)) return scannedFacts(path, text, 'its parser did not survive it')
    this.#reading(`${path}\0${hash}`)
    return languageOf(path) === 'python' ? pythonFacts(text) : jsFacts(path, text)
  }

  #keep(path: string, file: KeptFile, changed = false): Facts {
    if (file.facts.fault === undefined) this.#unreadable.delete(path)
    else this.#unreadable.add(path)
    this.#files.set(path, file)
    if (changed) this.#changedShards.add(shardOf(path))
    return file.facts
  }

  #drop(path: string): boolean {
    this.#unreadable.delete(path)
    this.#changedShards.add(shardOf(path))
    return this.#files.delete(path)
  }

  #takeShards(): Shard[] {
    if (this.#changedShards.size === 0) return []
    const parts = new Map([...this.#changedShards].map((number) => [number, new Map<string, KeptFile>()]))
    this.#changedShards.clear()
    for (const [path, file] of this.#files) parts.get(shardOf(path))?.set(path, file)
    return [...parts].map(([number, files]) => [number, packShard(files)])
  }
}

/** True if a stamp can be kept: it must differ from that of a write within the same tick. */
const isFar = (mtimeMs: number): boolean => Date.now() - mtimeMs > 2_000

function namedIn(question: Question): readonly string[] {
  switch (question.kind) {
    case 'impact':
      return question.files
    case 'triage':
      return question.prs.flatMap(({ files }) => files)
    case 'neighbors':
    case 'dependents':
      return [question.node.replace(/#.*$/, '')]
    case 'path':
      return [question.src, question.dst].map((one) => one.replace(/#.*$/, ''))
  }
}
