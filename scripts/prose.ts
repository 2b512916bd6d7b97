/**
 * Checks the language of comments, texts, names and documents against docs/style.md. `npm run check` runs it over
 * everything; `scripts/prose.ts --list plugins/tasks` prints each place that it counts under some folders.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Piece, piecesOf } from './prose/read.ts'
import { IDIOMS, NAMES, OPENERS } from './prose/vocabulary.ts'
import { root } from './workspaces.mjs'

/** The largest share of comments, and of texts, that may begin with a word that names nothing. */
const LARGEST_SHARE = 0.05
/** Documents that quote the wording they warn of, or that a program writes. */
const EXEMPT = /^(?:docs\/style\.md|docs\/reference\/|scripts\/prose\/vocabulary\.ts)/

interface Count {
  comments: number
  texts: number
  readonly openers: Record<'comment' | 'text', string[]>
  readonly banned: string[]
}

const isListing = process.argv.includes('--list')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const counts = new Map<string, Count>()
for (const path of trackedFiles()) {
  if (EXEMPT.test(path)) continue
  const source = readFileSync(join(root, path), 'utf8')
  const count = counts.get(packageOf(path)) ?? { comments: 0, texts: 0, openers: { comment: [], text: [] }, banned: [] }
  counts.set(packageOf(path), count)
  for (const piece of piecesOf(path, source)) add(count, path, piece)
}

const faults = [...counts].flatMap(([name, count]) => faultsOf(name, count))
if (isListing)
  for (const { openers, banned } of counts.values())
    for (const place of [...openers.comment, ...openers.text, ...banned]) console.log(place)
else for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...wanted], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\0').filter((path) => /(?:\.(?:ts|tsx|mjs|md|yml|yaml)|package\.json)$/.test(path))
}

/** The group that a file is counted in: its package, or its top folder. */
function packageOf(path: string): string {
  const [top = '', second = ''] = path.split('/')
  return ['kernel', 'bin', 'plugins', 'examples'].includes(top) && path.split('/').length > 2
    ? `${top}/${second}`
    : path.includes('/')
      ? top
      : '.'
}

function add(count: Count, path: string, { kind, line, text }: Piece): void {
  const place = `${path}:${line}`
  if (kind === 'name') {
    const instead = Object.hasOwn(NAMES, text) ? NAMES[text] : undefined
    if (instead !== undefined) count.banned.push(`${place}: the name ${text} is ${instead}`)
    return
  }
  if (kind === 'comment') count.comments++
  else count.texts++
  if (OPENERS.test(text))
    count.openers[kind].push(`${place}: begins with a word that names nothing: ${text.slice(0, 80).replaceAll('\n', ' ')}`)
  for (const { pattern, instead } of IDIOMS) {
    const [match] = pattern.exec(text) ?? []
    if (match !== undefined) count.banned.push(`${place}: “${match}”; write ${instead}`)
  }
}

function faultsOf(name: string, { comments, texts, openers, banned }: Count): string[] {
  return [...shareFault(name, 'comments', openers.comment, comments), ...shareFault(name, 'texts', openers.text, texts), ...banned]
}

function shareFault(name: string, kind: string, openers: readonly string[], all: number): string[] {
  if (openers.length <= allowed(all)) return []
  const share = ((100 * openers.length) / all).toFixed(1)
  return [`${name}: ${share} % of its ${kind} begin with a word that names nothing; at most 5 % may. The first is ${openers[0]}`]
}

/** A single text of a small package is not a habit. */
function allowed(all: number): number {
  return Math.max(1, Math.floor(all * LARGEST_SHARE))
}
