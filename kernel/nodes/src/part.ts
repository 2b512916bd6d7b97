import type { KernelPart } from '@gateway/kernel'
import { nodeCollections } from './collections.ts'

export const nodesPart: KernelPart = { records: nodeCollections }
