export { typesOf } from './accepts.ts'
export { lenientArguments } from './arguments.ts'
export { parsedText } from './parsed-text.ts'
export { type LiteralUnion, literalUnion, selectedBranch } from './union-branch.ts'
