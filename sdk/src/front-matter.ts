export { type FrontMatter, frontMatterReader } from './front-matter/read.ts'
export { type SplitText, splitFrontMatter } from './front-matter/split.ts'
