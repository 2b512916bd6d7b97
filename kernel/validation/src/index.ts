export { argumentsValidator, isSecret, lengthAlone, namedArguments } from './arguments.ts'
export { type ErrorObject, lazyValidator } from './compile.ts'
export { defaultsOf } from './defaults.ts'
export { describe, explain } from './explain.ts'
