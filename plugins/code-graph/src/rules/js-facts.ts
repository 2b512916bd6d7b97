import { parseSync, visitorKeys } from 'oxc-parser'
import { type Facts, NO_FACTS } from './facts.ts'
import { JsReader, type Node } from './js-reader.ts'

/** The facts of a JavaScript or TypeScript file. What the parser cannot read has none, and says so. */
export function jsFacts(path: string, text: string): Facts {
  try {
    const { program, errors } = parseSync(path, text, { preserveParens: false, ...languageFor(path) })
    // The parser goes on after some errors; after others nothing is left.
    const fatal = program.body.length === 0 && errors.length > 0 ? errors[0] : undefined
    if (fatal) return { ...NO_FACTS, fault: fatal.message.slice(0, 200) }
    const reader = new JsReader(visitorKeys)
    reader.read(program as unknown as Node)
    return reader.facts()
  } catch (error) {
    // Too deeply nested for the stack, or more than the parser takes.
    return { ...NO_FACTS, fault: String((error as Error).message).slice(0, 200) }
  }
}

/** JSX in `.js` is common, and nothing else is to be read there in another way. */
function languageFor(path: string): { lang?: 'jsx' } {
  return /\.[cm]?js$/.test(path) ? { lang: 'jsx' } : {}
}
