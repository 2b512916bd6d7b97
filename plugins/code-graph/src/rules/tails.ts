import type { Facts } from './facts.ts'
import { isTest, languageOf } from './languages.ts'
import { nameOf, parentOf, stemOf, upwards } from './paths.ts'

/** The folder itself, by any number of dots. */
const HERE = '.'

/**
 * Returns the words by which a file depends on the set of files. An added or removed file can only change the edges of files that
 * share a word with it. Few do, and the others need no check.
 */
export function tailsOf(file: string, { references }: Facts): Set<string> {
  const tails = new Set<string>()
  const python = languageOf(file) === 'python'
  for (const { to, binds = [], passes = [] } of references) {
    if (python) {
      tails.add(to.replace(/^.*\./, '') || HERE)
      // The packages and test folders around a file decide where its absolute imports are searched.
      if (!to.startsWith('.')) for (const folder of upwards(parentOf(file))) tails.add(rootTail(folder))
      for (const [theirs] of [...binds, ...passes]) tails.add(theirs)
      continue
    }
    tails.add(/(?:^|\/)\.{0,2}\/?$/.test(to) ? HERE : stemOf(nameOf(to.replace(/[?].*$/, ''))))
    // A manifest decides where it leads.
    if (!/^[./]/.test(to)) tails.add(packageTail(to))
  }
  if (isTest(file)) tails.add(testedStem(file))
  return tails
}

/**
 * Returns the words of an added or removed file. `packages` are those of the repo that it is part of, `aliases` the specifiers
 * that a manifest may lead to it.
 */
export function tailsFor(file: string, packages: readonly string[], aliases: readonly string[]): Set<string> {
  const stem = stemOf(nameOf(file))
  const replaced = aliases.flatMap((name) => [stemOf(nameOf(name)), packageTail(name)])
  const tails = new Set([stem, ...packages.map(packageTail), ...replaced])
  if (ROOT_MARKS.has(nameOf(file))) tails.add(rootTail(parentOf(file)))
  if (stem === 'index' || stem === '__init__') tails.add(nameOf(parentOf(file))).add(HERE)
  return tails
}

/** Files that make their folder a package, or a root of test imports. */
const ROOT_MARKS = new Set(['__init__.py', 'conftest.py'])
const rootTail = (folder: string): string => `root:${folder}`
const packageTail = (specifier: string): string =>
  `package:${
    specifier.startsWith('#')
      ? '#'
      : specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
  }`

const testedStem = (file: string): string => stemOf(nameOf(file)).replace(/[.\-_](?:test|spec)s?$|^test_/, '')
