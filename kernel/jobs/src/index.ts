export { jobsPart } from './part.ts'
export { jobRunner } from './runner.ts'
