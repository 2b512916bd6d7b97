import type { KernelPart } from '@gateway/kernel'
import { pageFaults } from './faults.ts'

export const pagesPart: KernelPart = { planFaults: pageFaults }
