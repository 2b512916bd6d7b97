import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type { Row } from '../../test/catalogue/catalogue.ts'
import { camel, type Family, type NewTool } from './family.ts'
import { pluralOf } from './record.ts'

/** Lists all faults of the requested family at once. */
export class Refused extends Error {}

const READS = new Set([
  'check',
  'context',
  'find',
  'get',
  'history',
  'latest',
  'list',
  'overview',
  'read',
  'search',
  'show',
  'stats',
  'status',
])
const DESTROYS = new Set(['delete', 'erase', 'purge', 'remove'])

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Takes `--record NAME` out of the arguments. */
function withRecord(args: readonly string[]): { readonly record: string; readonly words: readonly string[] } {
  const at = args.indexOf('--record')
  return at === -1 ? { record: 'record', words: args } : { record: args[at + 1] ?? '', words: args.toSpliced(at, 2) }
}

/** Plans the family for these arguments. Known data of a tool comes from the catalogue. */
export function planFamily(root: string, args: readonly string[]): Family {
  const { record, words } = withRecord(args)
  const [id = '', ...names] = words
  const rows = new Map((json(root, 'test/catalogue/tools.json') as readonly Row[]).map((row) => [row.name, row]))
  const faults = [
    KEBAB.test(id) ? '' : `the id must be in kebab-case, as job-history; got ${id || 'nothing'}`,
    id === '' || isIdentifier(camel(id)) ? '' : `${id} is a word of the language: its module could not be named after it`,
    id !== '' && existsSync(join(root, 'plugins', id)) ? `plugins/${id} is there already` : '',
    KEBAB.test(record) && isIdentifier(camel(record)) && isIdentifier(camel(pluralOf(record)))
      ? ''
      : `--record must be a noun in kebab-case, as lending-slip; got ${record || 'nothing'}`,
    names.length > 0 ? '' : 'name at least one tool, in snake_case, as shelf_list',
    ...names.flatMap((name, at) => [
      /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name) ? '' : `a tool’s name is two or more words in snake_case, as shelf_list; got ${name}`,
      names.indexOf(name) === at ? '' : `${name} is named twice`,
      (rows.get(name)?.family ?? id) === id
        ? ''
        : `${name} belongs to the family ${rows.get(name)?.family}, says test/catalogue/tools.json`,
    ]),
  ].filter((fault) => fault !== '')
  if (faults.length > 0) throw new Refused(faults.join('\n'))
  const { version } = json(root, 'sdk/package.json') as { version: string }
  return { id, record, tools: names.map((name) => toolOf(name, rows.get(name))), sdk: { version, range: `^${version}` } }
}

function toolOf(name: string, row: Row | undefined): NewTool {
  if (row) return { name, effect: row.effect, description: row.description, core: row.core === true }
  const description = `Say here what ${name} does, in words an agent would search for. Returns what it answers with.`
  return { name, effect: effectOf(name), description, core: false }
}

/** Guesses the effect from the words of the name; the author corrects it in the tool and in the catalogue. */
function effectOf(name: string): NewTool['effect'] {
  const words = name.split('_')
  if (words.some((word) => DESTROYS.has(word))) return 'destructive'
  return words.some((word) => READS.has(word)) ? 'read' : 'write'
}

/** The distribution imports a family under its name. */
function isIdentifier(name: string): boolean {
  try {
    void new Script(`'use strict'; let ${name}`)
    return true
  } catch {
    return false
  }
}

function json(root: string, path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
