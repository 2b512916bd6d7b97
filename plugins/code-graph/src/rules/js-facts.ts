import { parseSync, visitorKeys } from 'oxc-parser'
import type { Facts } from './facts.ts'
import { FactsBuilder } from './facts-builder.ts'
import { JsReader, type Node } from './js-reader.ts'
import { scanImports } from './js-scan.ts'
import { isComponent, scriptBlocks } from './script-blocks.ts'

type Lang = 'jsx' | 'ts' | 'tsx'
const MAX_FAULT = 200

/** The facts of a JavaScript or TypeScript file, or of the scripts of a component. A file that no parser reads has its imports alone. */
export function jsFacts(path: string, text: string): Facts {
  return isComponent(path) ? componentFacts(path, text) : factsOf((facts) => read(path, text, langsFor(path), facts))
}

/** The facts without a parser, of a file that ends its process. */
export function scannedFacts(path: string, text: string, fault: string): Facts {
  return factsOf((facts) => {
    const texts = isComponent(path) ? scriptBlocks(path, text).map((block) => block.text) : [text]
    for (const one of texts) scanImports(one, facts)
    return fault
  })
}

function factsOf(work: (facts: FactsBuilder) => string | undefined): Facts {
  const facts = new FactsBuilder()
  const fault = work(facts)
  return { ...facts.build(), ...(fault !== undefined && { fault }) }
}

function componentFacts(path: string, text: string): Facts {
  return factsOf((facts) => {
    const faults = scriptBlocks(path, text).map(({ lang, text: script, src }) => {
      if (src !== undefined) facts.refer(src)
      return read(`${path}.${lang}`, script, [lang, 'tsx'], facts)
    })
    // The component itself.
    facts.symbol('default')
    facts.export('default', 'default')
    return faults.find((fault) => fault !== undefined)
  })
}

/** Reads a text in the first language in which it parses. Returns why it could not be parsed. */
function read(path: string, text: string, langs: readonly (Lang | undefined)[], facts: FactsBuilder): string | undefined {
  let fault: string | undefined
  for (const lang of langs) {
    const parsed = parse(path, text, lang)
    if ('fault' in parsed) {
      fault ??= parsed.fault
      continue
    }
    const attempt = new FactsBuilder()
    try {
      for (const file of parsed.referenced) attempt.refer(file)
      new JsReader(visitorKeys, attempt).read(parsed.program)
      facts.add(attempt)
      return undefined
    } catch (error) {
      // The tree is nested too deeply for the stack.
      fault ??= String((error as Error).message).slice(0, MAX_FAULT)
    }
  }
  scanImports(text, facts)
  return fault
}

interface Parsed {
  readonly program: Node
  /** Files of `/// <reference path="…" />`. */
  readonly referenced: readonly string[]
}
const REFERENCED = /^\/\s*<reference\s+path\s*=\s*["']([^"']+)["']/

/** The syntax tree, or the reason why it cannot be made. */
function parse(path: string, text: string, lang: Lang | undefined): Parsed | { readonly fault: string } {
  try {
    const { program, errors, comments } = parseSync(path, text, { preserveParens: false, ...(lang && { lang }) })
    // The parser continues after some errors; after others the program is empty.
    const fatal = program.body.length === 0 && errors.length > 0 ? errors[0] : undefined
    if (fatal) return { fault: fatal.message.slice(0, MAX_FAULT) }
    const named = text.includes('<reference') ? comments.flatMap(({ value }) => REFERENCED.exec(value)?.[1] ?? []) : []
    return { program: program as unknown as Node, referenced: named.map((file) => (/^[./]/.test(file) ? file : `./${file}`)) }
  } catch (error) {
    return { fault: String((error as Error).message).slice(0, MAX_FAULT) }
  }
}

/** JSX in `.js` is common, and Flow types mostly read as TypeScript. */
function langsFor(path: string): readonly (Lang | undefined)[] {
  return /\.[cm]?jsx?$/.test(path) ? ['jsx', 'tsx'] : [undefined]
}
