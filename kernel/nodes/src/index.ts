export { openNodes } from './nodes.ts'
export { nodesPart } from './part.ts'
